"""Which inputs does an import find by itself?  Stand-ins for models of transformers: the library is not needed."""
import sys
import unittest
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "resources" / "python"))
from model_import.known_inputs import transformers_inputs  # noqa: E402


class Words:
    main_input_name = "input_ids"

    def __init__(self, **config):
        self.config = SimpleNamespace(**config)

    def forward(self, input_ids=None):
        pass


class Pictures(Words):
    main_input_name = "pixel_values"

    def forward(self, pixel_values=None, input_ids=None):
        pass


class Detector(Pictures):
    def forward(self, pixel_values, input_ids):
        pass


class Patches(Words):
    def forward(self, input_ids=None, pixel_values=None, image_grid_thw=None):
        pass


class Codec(Words):
    main_input_name = "input_values"

    def forward(self, input_values):
        pass


def sizes(model):
    positional, named = transformers_inputs(model)
    assert not positional
    return {name: list(tensor.sizes) for name, tensor in named.items()}


class KnownInputs(unittest.TestCase):
    def test_words_fit_the_positions(self):
        for longest, length in ((512, 128), (64, 64), (-1, 128), (0, 128), (None, 128), (66 + 1, 65)):
            self.assertEqual(sizes(Words(max_position_embeddings=longest)), {"input_ids": [2, length]}, longest)

    def test_pictures_have_the_size_of_the_configuration(self):
        self.assertEqual(sizes(Pictures(image_size=48, num_channels=1)), {"pixel_values": [2, 1, 48, 48]})
        self.assertEqual(sizes(Pictures(image_size=48, num_frames=8)), {"pixel_values": [2, 8, 3, 48, 48]})

    def test_what_forward_wants_is_given(self):
        self.assertEqual(sizes(Detector(image_size=48)), {"pixel_values": [2, 3, 48, 48], "input_ids": [2, 128]})

    def test_words_alone_where_pictures_are_patches(self):
        self.assertEqual(sizes(Patches(image_size=48)), {"input_ids": [2, 128]})

    def test_sound_has_its_channels(self):
        self.assertEqual(sizes(Codec()), {"input_values": [2, 16000]})
        self.assertEqual(sizes(Codec(audio_channels=2)), {"input_values": [2, 2, 16000]})


if __name__ == "__main__":
    sys.exit(unittest.main())
