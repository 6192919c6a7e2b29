# A guest over stdin and stdout, for walls that are put up around the process: `python3 -I -B -X utf8 guest.py`.
# Takes one run, or those of one session, then exits.
import os
import sys

folder = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, folder)

from own_modules import OwnModules  # noqa: E402

sys.path.remove(folder)
with OwnModules(folder):
    from guest_world.channel import Channel
    from guest_world.memory import Memory
    from guest_world.serve import Guest


def main() -> None:
    read_from, write_to = os.dup(0), os.dup(1)
    # What a library prints past Python must not corrupt the frames.
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    os.environ.clear()
    Guest(Channel(read_from, write_to), Memory()).serve()


main()
