// Read before MicroPython's machine_uart.c: the rings of a UART last, see heap.c.
#include "py/ringbuf.h"

#undef ringbuf_alloc
#define ringbuf_alloc heap_ring
void heap_ring(ringbuf_t *ring, size_t size);
