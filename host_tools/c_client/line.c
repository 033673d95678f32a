#define _DEFAULT_SOURCE /* B115200 */

#include "client.h"

#include <termios.h>

int dovetail_set_line(int fd)
{
    struct termios line;

    if (tcgetattr(fd, &line) < 0)
        return -1;
    line.c_iflag = 0;
    line.c_oflag = 0;
    line.c_lflag = 0;
    line.c_cflag = CS8 | CREAD | CLOCAL;
    line.c_cc[VMIN] = 1;
    line.c_cc[VTIME] = 0;
    cfsetispeed(&line, B115200);
    cfsetospeed(&line, B115200);
    return tcsetattr(fd, TCSANOW, &line);
}
