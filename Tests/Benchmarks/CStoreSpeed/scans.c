#include "CStoreSpeed.h"

/// Scatters numbers, so that identifiers come in no order (splitmix64).
static uint64_t scattered(uint64_t number) {
    number += 0x9E3779B97F4A7C15;
    number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9;
    number = (number ^ (number >> 27)) * 0x94D049BB133111EB;
    return number ^ (number >> 31);
}

CStoreSpeedScan cstorespeed_scan(int64_t number, bool departs) {
    CStoreSpeedScan scan = {0};
    const uint64_t halves[2] = {scattered((uint64_t)number), (uint64_t)number};
    int place = 0;
    for (int digit = 0; digit < 32; digit++) {
        if (digit == 8 || digit == 12 || digit == 16 || digit == 20) scan.identifier[place++] = '-';
        uint64_t half = halves[digit / 16];
        scan.identifier[place++] = "0123456789ABCDEF"[half >> (60 - 4 * (digit % 16)) & 15];
    }
    // Three bags a passenger.
    int64_t name = number / 3;
    scan.given_name[0] = (char)('A' + name % 26);
    for (int letter = 0; letter < 3; letter++) {
        name /= 26;
        scan.family_name[letter] = (char)('A' + name % 26);
    }
    scan.weight = 20 + (double)(number % 64) / 2;
    if (departs) scan.departed_at = 1700000000 + (double)number;
    else scan.arrived_at = 1700100000 + (double)number;
    return scan;
}
