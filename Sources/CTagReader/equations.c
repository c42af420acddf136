// Least squares: collects equations, and solves them for what fits them best.

#include "tag_engine.h"

#include <math.h>
#include <string.h>

void tag_equations_begin(TagEquations *equations, int count) {
    equations->count = count;
    equations->waiting = 0;
    memset(equations->matrix, 0, (size_t)(count * count) * sizeof *equations->matrix);
    memset(equations->right, 0, (size_t)count * sizeof *equations->right);
}

// Adds what waits, several equations at a time: most of the time goes with the matrix, which is larger than they are.
static void add_waiting(TagEquations *equations) {
    int count = equations->count;
    for (int i = equations->waiting; i < TAG_EQUATIONS_AT_ONCE; i++) {
        equations->weights[i] = equations->values[i] = 0;
        memset(equations->terms[i], 0, sizeof equations->terms[i]);
    }
    equations->waiting = 0;
    const double *restrict weights = equations->weights, *restrict values = equations->values;
    const double *restrict a = equations->terms[0], *restrict b = equations->terms[1];
    const double *restrict c = equations->terms[2], *restrict d = equations->terms[3];
    for (int i = 0; i < count; i++) {
        double *restrict row = equations->matrix + i * count;
        double by_a = weights[0] * a[i], by_b = weights[1] * b[i];
        double by_c = weights[2] * c[i], by_d = weights[3] * d[i];
        for (int k = 0; k <= i; k++) row[k] = row[k] + by_a * a[k] + by_b * b[k] + by_c * c[k] + by_d * d[k];
        equations->right[i] =
            equations->right[i] + by_a * values[0] + by_b * values[1] + by_c * values[2] + by_d * values[3];
    }
}

double *tag_equations_terms(TagEquations *equations) {
    return equations->terms[equations->waiting];
}

void tag_equations_add(TagEquations *equations, double value, double weight) {
    equations->values[equations->waiting] = value;
    equations->weights[equations->waiting++] = weight;
    if (equations->waiting == TAG_EQUATIONS_AT_ONCE) add_waiting(equations);
}

void tag_equations_sum_up(TagEquations *equations) {
    if (equations->waiting > 0) add_waiting(equations);
}

int tag_equations_solve(TagEquations *equations) {
    return tag_solve(equations->matrix, equations->right, (size_t)equations->count);
}

int tag_solve(double *matrix, double *right, size_t count) {
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j <= i; j++) {
            double sum = matrix[i * count + j];
            for (size_t k = 0; k < j; k++) sum -= matrix[i * count + k] * matrix[j * count + k];
            if (i == j) {
                if (!(sum > 1e-12) || !isfinite(sum)) return 0;
                matrix[i * count + i] = sqrt(sum);
            } else {
                matrix[i * count + j] = sum / matrix[j * count + j];
            }
        }
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < i; k++) right[i] -= matrix[i * count + k] * right[k];
        right[i] /= matrix[i * count + i];
    }
    for (size_t i = count; i-- > 0;) {
        for (size_t k = i + 1; k < count; k++) right[i] -= matrix[k * count + i] * right[k];
        right[i] /= matrix[i * count + i];
        if (!isfinite(right[i])) return 0;
    }
    return 1;
}
