"""Writes the payload of each QR code in a picture, in base64 on a line of its own.

Takes QRCodeDetectorAruco instead of QRCodeDetector when `--aruco` comes before the path. Needs
opencv-python-headless from PyPI.
"""

import base64
import sys

import cv2

*options, path = sys.argv[1:]
detector = cv2.QRCodeDetectorAruco() if "--aruco" in options else cv2.QRCodeDetector()
levels = cv2.imread(path, cv2.IMREAD_GRAYSCALE)
if levels is None:
    sys.exit(f"{path} cannot be read as a picture")
_, payloads, *_ = detector.detectAndDecodeBytesMulti(levels)
for payload in payloads:
    # A code that was found and not decoded is an empty one.
    if payload:
        print(base64.b64encode(payload).decode())
