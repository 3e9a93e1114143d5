"""Writes a model of this Python as a .pt2 that Stagecraft opens:

    python export_model.py SOURCE -o model.pt2 [--input "f32[8,3,224,224]"] [--dynamic batch] [--mode eval]

SOURCE is MODULE:FACTORY, FILE.py:FACTORY, hf:NAME, timm:NAME or torchvision:NAME. Needs PyTorch 2.6 or later and
nothing of Stagecraft's but the folder model_import beside it. What it says goes to standard output as lines of JSON
(model_import/channel.py); what the model's own code prints goes to standard error.
"""
import sys

if sys.version_info < (3, 9):
    print('{"type": "error", "kind": "version", "text": "this Python is %d.%d, and PyTorch 2.6 needs 3.9 or later", '
          '"advice": "choose another Python"}' % sys.version_info[:2])
    sys.exit(1)

from model_import.command import main  # noqa: E402

sys.path.pop(0)  # what else lies here is no module of the person's

if __name__ == "__main__":
    main(sys.argv[1:])
