"""What `touchstone run resume RUN --on ENGINE` starts: python -m touchstone_t2i.engines with its words as JSON."""

import json
import sys

from ..errors import CLASSES, TouchstoneError
from . import collect


def main() -> int:
    try:
        collect(**json.loads(sys.argv[1]))
    except TouchstoneError as error:
        print(error, file=sys.stderr)
        return next((code for code, kind in CLASSES.items() if isinstance(error, kind)), 1)
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
