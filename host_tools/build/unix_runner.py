# Runs on MicroPython's unix port: imports each given test file and calls its test_ functions.
# Started from the project's root, so a test opens its data as "firmware/tests/data/...".
import sys


def run_file(path):
    name = path.split("/")[-1][:-3]
    module = __import__(name)
    failed = 0
    for test in sorted(dir(module)):
        if not test.startswith("test_"):
            continue
        try:
            getattr(module, test)()
            print("passed", test)
        except Exception as error:
            failed += 1
            print("FAILED", test)
            sys.print_exception(error)
    return failed


sys.path[:] = [".frozen", "firmware", "firmware/tests", "boards", "boards/shuffler_rp2040"]
sys.exit(1 if sum([run_file(path) for path in sys.argv[1:]]) else 0)
