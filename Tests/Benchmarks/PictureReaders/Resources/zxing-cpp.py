"""Writes the payload of each QR code in a picture, in base64 on a line of its own.

Needs zxing-cpp, numpy and Pillow from PyPI.
"""

import base64
import sys

import numpy
import zxingcpp
from PIL import Image

with Image.open(sys.argv[1]) as picture:
    levels = numpy.asarray(picture.convert("L"))
for code in zxingcpp.read_barcodes(levels, formats=zxingcpp.BarcodeFormat.QRCode):
    print(base64.b64encode(code.bytes).decode())
