/* SPDX-License-Identifier: Apache-2.0
 *
 * The processes in one cell of air: vapour, cloud water, cloud ice, rain and snow of a
 * single-moment scheme of five classes, in the structure that WSM5's authors published (Hong,
 * Dudhia and Chen, 2004): exponential size distributions with fixed intercepts, of snow one that
 * grows in the cold; saturation by Clausius and Clapeyron; autoconversion above a threshold;
 * accretion by the sweep of what falls; growth and evaporation by ventilated diffusion; melting by
 * conduction. The equations have the published form with fewer terms and constants of our own, so
 * that the results are no forecast; only their reads, writes and branches count here. The kernel
 * and its check share this header, so the check holds the way through the columns, not the physics.
 */
#ifndef WARPMEM_WORKLOADS_ISPASS_WP_PHYSICS_H
#define WARPMEM_WORKLOADS_ISPASS_WP_PHYSICS_H

#include <stdbool.h>

#include "workloads/ispass/wp_math.h"

#define WP_STEP 60.0f /* seconds */
#define WP_TINY 1e-15f
#define WP_FREEZING 273.15f
#define WP_TRIPLE 273.16f
#define WP_AIR_GAS 287.0f    /* J/(kg K) */
#define WP_VAPOUR_GAS 461.6f /* the same, of vapour */
#define WP_AIR_HEAT 1004.5f
#define WP_VAPOUR_HEAT 1846.4f
#define WP_WATER_HEAT 4190.0f
#define WP_ICE_HEAT 2106.0f
#define WP_SUBLIMATION 2.85e6f /* J/kg */
#define WP_FUSION 3.5e5f
#define WP_DENSITY 1.28f /* kg/m3, of air at the ground */
#define WP_WATER_DENSITY 1000.0f
#define WP_RAIN_SLOPE 3.9788736e-11f /* 1 / (pi * 1000 kg/m3 * 8e6 / m4) */
#define WP_SNOW_SLOPE 1.5915494e-9f  /* 1 / (pi * 100 kg/m3 * 2e6 / m4) */
#define WP_RAIN_INTERCEPT 8e6f
#define WP_SNOW_INTERCEPT 2e6f
#define WP_RAIN_FALL 2503.0f /* 841.9 * gamma(4.8) / 6 */
#define WP_SNOW_FALL 20.07f  /* 11.72 * gamma(4.41) / 6 */
#define WP_SUBSTEPS 20       /* of sedimentation, at most */

static inline float wp_cell_heat(float q) {
    const float vapour = wp_max(q, WP_TINY);
    return WP_AIR_HEAT * (1.0f - vapour) + vapour * WP_VAPOUR_HEAT;
}

static inline float wp_evaporation_heat(float t) {
    return 2.5e6f - 2370.0f * (t - WP_FREEZING);
}

struct wp_saturation {
    float water, ice;       /* kg/kg over each */
    float rh_water, rh_ice; /* what there is, of that */
};

static inline float wp_saturate_over(float t, float p, float difference, float heat) {
    const float a = -difference / WP_VAPOUR_GAS, b = a + heat / (WP_VAPOUR_GAS * WP_TRIPLE);
    const float tr = WP_TRIPLE / t;
    const float e = 610.78f * wp_exp(wp_log(tr) * a) * wp_exp(b * (1.0f - tr));
    return wp_max(0.622f * e / (p - wp_min(e, 0.99f * p)), WP_TINY);
}

static inline struct wp_saturation wp_saturate(float t, float p, float q) {
    struct wp_saturation s;
    s.water = wp_saturate_over(t, p, WP_VAPOUR_HEAT - WP_WATER_HEAT, 2.5e6f);
    s.ice = t < WP_TRIPLE ? wp_saturate_over(t, p, WP_VAPOUR_HEAT - WP_ICE_HEAT, WP_SUBLIMATION)
                          : s.water;
    s.rh_water = wp_max(q / s.water, WP_TINY);
    s.rh_ice = wp_max(q / s.ice, WP_TINY);
    return s;
}

/* A size distribution's slope: 1 / lambda, its square and cube, and to the power of the fall
 * speed. */
struct wp_slope {
    float one, two, three, fall;
};

static inline struct wp_slope wp_slope_of(float content, float limit, float power) {
    struct wp_slope s;
    s.one = content <= 0.0f ? limit : wp_min(wp_max(sqrtf(sqrtf(content)), limit), 4e-3f);
    s.two = s.one * s.one;
    s.three = s.two * s.one;
    s.fall = wp_pow(s.one, power);
    return s;
}

struct wp_slopes {
    struct wp_slope rain, snow;
    float density_factor, snow_factor; /* of fall speeds, of the intercept */
    float rain_speed, snow_speed;      /* cells a second */
};

static inline struct wp_slopes wp_slopes_of(float qr, float qs, float den, float t, float delz) {
    struct wp_slopes s;
    s.density_factor = sqrtf(WP_DENSITY / den);
    s.snow_factor = wp_max(wp_min(wp_exp(0.12f * (WP_FREEZING - t)), 1e5f), 1.0f);
    s.rain = wp_slope_of(qr * den * WP_RAIN_SLOPE, 1.25e-5f, 0.8f);
    s.snow = wp_slope_of(qs * den * WP_SNOW_SLOPE / s.snow_factor, 1e-5f, 0.41f);
    s.rain_speed = qr > 0.0f ? WP_RAIN_FALL * s.rain.fall * s.density_factor / delz : 0.0f;
    s.snow_speed = qs > 0.0f ? WP_SNOW_FALL * s.snow.fall * s.density_factor / delz : 0.0f;
    return s;
}

static inline float wp_ice_number(float qi, float den) {
    return wp_min(wp_max(5.38e7f * wp_pow(den * wp_max(qi, WP_TINY), 0.75f), 1e3f), 1e6f);
}

/** wp_ice_speed() - of crystals, cells a second. */
static inline float wp_ice_speed(float qi, float den, float number, float delz) {
    const float diameter = wp_max(wp_min(11.9f * sqrtf(den * qi / number), 5e-4f), 1e-25f);
    return qi > 0.0f ? 1.49e4f * wp_pow(diameter, 1.31f) / delz : 0.0f;
}

/** wp_substeps() - the number with which nothing falls farther than one cell. */
static inline int wp_substeps(float speed) {
    const int n = (int)(speed * WP_STEP + 0.5f) + 1;
    return n < WP_SUBSTEPS ? n : WP_SUBSTEPS;
}

/** wp_flux() - out of a cell in a substep, kg/(m3 s) of the cell's height. */
static inline float wp_flux(float den, float q, float speed, float substeps) {
    return den * wp_max(q, 0.0f) * speed / substeps;
}

/** wp_fall() - content of a cell after a substep. */
static inline float wp_fall(float q, float out, float in, float delz_above, float delz, float den) {
    return wp_max(q - (out - in * delz_above / delz) * WP_STEP / den, 0.0f);
}

/* Precipitation that has reached the ground, mm; the part of it that is snow. */
struct wp_ground {
    float rain, snow, ratio;
};

/** wp_ground_of() - of what left the lowest cell, rain and snow with ice. */
static inline struct wp_ground wp_ground_of(float rain, float snow, float delz) {
    struct wp_ground g;
    g.snow = wp_max(snow * delz * WP_STEP / WP_WATER_DENSITY * 1000.0f, 0.0f);
    g.rain = wp_max(rain * delz * WP_STEP / WP_WATER_DENSITY * 1000.0f, 0.0f) + g.snow;
    g.ratio = g.snow / (g.rain + 1e-12f);
    return g;
}

/* A cell before and after the microphysics. */
struct wp_cell {
    float t, q, qc, qi, qr, qs;
};

/* Its other inputs, as the loops before have left them. */
struct wp_air {
    float p, den, heat, evaporation; /* heat capacity; heat of evaporation */
    struct wp_saturation saturation;
    struct wp_slope rain, snow;
    float density_factor, snow_factor, ice_number;
};

static inline float wp_limit(float rate, float least, float most) {
    return wp_min(wp_max(rate, least), most);
}

/** wp_diffusion() - resistance to growth and evaporation of what has @heat, by conduction and
 * diffusion; @ventilation: how much air that falls passes. */
static inline float wp_diffusion(const struct wp_air *a, float t, float heat, float saturation,
                                 float *ventilation) {
    const float diffusivity = 8.794e-5f * wp_pow(t, 1.81f) / a->p;
    const float viscosity = 1.496e-6f * t * sqrtf(t) / (t + 120.0f) / a->den;
    const float conductivity = 1414.0f * viscosity * a->den;
    *ventilation = wp_pow(viscosity / diffusivity, 0.3333333f) / sqrtf(viscosity) *
                   sqrtf(sqrtf(WP_DENSITY / a->den));
    return a->den * heat * heat / (conductivity * WP_VAPOUR_GAS * t * t) +
           1.0f / (saturation * diffusivity);
}

/* Rain: from cloud water by itself and by collection, to vapour and back. */
static inline void wp_warm(struct wp_cell *c, const struct wp_air *a) {
    float ventilation;
    const float resistance =
        wp_diffusion(a, c->t, a->evaporation, a->saturation.water, &ventilation);
    const float autoconversion =
        c->qc > 5e-4f ? wp_min(6.0f * wp_pow(c->qc, 2.3333333f), c->qc / WP_STEP) : 0.0f;
    const float accretion =
        c->qr > 1e-9f ? wp_min(3.1e10f * a->rain.three * a->rain.fall * c->qc * a->density_factor,
                               c->qc / WP_STEP)
                      : 0.0f;
    const float area = 6.28f * WP_RAIN_INTERCEPT *
                       (0.78f * a->rain.two + 0.31f * 38.0f * ventilation * 1.83f * a->rain.two *
                                                  sqrtf(a->rain.one * a->rain.fall));
    float vapour = c->qr > 0.0f ? (a->saturation.rh_water - 1.0f) * area / resistance : 0.0f;
    vapour = wp_limit(vapour, -c->qr / WP_STEP,
                      wp_max(0.5f * (c->q - a->saturation.water) / WP_STEP, 0.0f));
    const float lost = autoconversion + accretion;
    const float share =
        lost * WP_STEP > c->qc ? wp_max(c->qc, WP_TINY) / wp_max(lost * WP_STEP, WP_TINY) : 1.0f;
    c->qc = wp_max(c->qc - lost * share * WP_STEP, 0.0f);
    c->qr = wp_max(c->qr + (lost * share + vapour) * WP_STEP, 0.0f);
    c->q = wp_max(c->q - vapour * WP_STEP, 0.0f);
    c->t += vapour * a->evaporation / a->heat * WP_STEP;
}

/* Below freezing: crystals form, grow, and become snow, which collects both clouds. */
static inline void wp_cold(struct wp_cell *c, const struct wp_air *a) {
    const float below = WP_FREEZING - c->t;
    const bool cold = below > 0.0f;
    float ventilation;
    const float resistance = wp_diffusion(a, c->t, WP_SUBLIMATION, a->saturation.ice, &ventilation);
    const float sweep = a->snow.three * a->snow.fall * a->density_factor * a->snow_factor;
    const float stick = wp_exp(0.07f * -wp_max(below, 0.0f));
    const float excess = (c->q - a->saturation.ice) / WP_STEP;
    float rime = cold && c->qs > 1e-9f ? wp_min(2.9e7f * sweep * c->qc, c->qc / WP_STEP) : 0.0f;
    float collect =
        cold && c->qs > 1e-9f ? wp_min(2.9e7f * stick * sweep * c->qi, c->qi / WP_STEP) : 0.0f;
    const float nuclei = 1e3f * wp_exp(0.1f * wp_max(below, 0.0f));
    float start =
        cold && excess > 0.0f
            ? wp_limit((4.92e-11f * wp_pow(nuclei, 1.33f) / a->den - c->qi) / WP_STEP, 0.0f, excess)
            : 0.0f;
    const float diameter = 11.9f * sqrtf(a->den * wp_max(c->qi, WP_TINY) / a->ice_number);
    float grow = cold && c->qi > 0.0f ? 4.0f * diameter * a->ice_number *
                                            (a->saturation.rh_ice - 1.0f) / (a->den * resistance)
                                      : 0.0f;
    grow = wp_limit(grow, wp_max(-c->qi / WP_STEP, wp_min(0.5f * excess, 0.0f)),
                    wp_max(0.5f * excess, 0.0f));
    const float area = 4.0f * WP_SNOW_INTERCEPT * a->snow_factor *
                       (0.65f * a->snow.two + 0.44f * 3.4f * ventilation * 1.55f * a->snow.two *
                                                  sqrtf(a->snow.one * a->snow.fall));
    float snow_grow =
        cold && c->qs > 0.0f ? (a->saturation.rh_ice - 1.0f) * area / resistance : 0.0f;
    snow_grow = wp_limit(snow_grow, -c->qs / WP_STEP, wp_max(0.25f * excess, 0.0f));
    const float most = 1.8e-4f / a->den;
    float turn = cold ? wp_max((c->qi - most) / WP_STEP, 0.0f) : 0.0f;
    const float vapour = start + grow + snow_grow;
    c->qc = wp_max(c->qc - rime * WP_STEP, 0.0f);
    c->qi = wp_max(c->qi + (start + grow - collect - turn) * WP_STEP, 0.0f);
    c->qs = wp_max(c->qs + (rime + collect + snow_grow + turn) * WP_STEP, 0.0f);
    c->q = wp_max(c->q - vapour * WP_STEP, 0.0f);
    c->t += (vapour * WP_SUBLIMATION + rime * WP_FUSION) / a->heat * WP_STEP;
}

/* Above freezing snow and crystals melt; far below cloud water freezes. */
static inline void wp_melt(struct wp_cell *c, const struct wp_air *a) {
    const float above = c->t - WP_FREEZING;
    const float conduct = 0.024f * above * 6.28f / WP_FUSION * WP_SNOW_INTERCEPT * a->snow_factor *
                          (0.65f * a->snow.two + 2.6f * a->snow.three * 1e3f);
    const float melt =
        above > 0.0f && c->qs > 0.0f ? wp_min(conduct / a->den * WP_STEP, c->qs) : 0.0f;
    const float ice = above > 0.0f ? c->qi : 0.0f;
    const float freeze = above < -40.0f ? c->qc : 0.0f;
    c->qs -= melt;
    c->qr += melt;
    c->qi += freeze - ice;
    c->qc += ice - freeze;
    c->t += (freeze - ice - melt) * WP_FUSION / a->heat;
}

/* To saturation over water, by cloud water. */
static inline void wp_adjust(struct wp_cell *c, const struct wp_air *a) {
    const float s = wp_saturate_over(c->t, a->p, WP_VAPOUR_HEAT - WP_WATER_HEAT, 2.5e6f);
    const float slope =
        a->evaporation * a->evaporation / (WP_VAPOUR_GAS * a->heat) * s / (c->t * c->t);
    const float condense = wp_max((c->q - s) / (1.0f + slope), -c->qc);
    c->q -= condense;
    c->qc = wp_max(c->qc + condense, 0.0f);
    c->t += condense * a->evaporation / a->heat;
}

static inline void wp_microphysics(struct wp_cell *c, const struct wp_air *a) {
    wp_warm(c, a);
    wp_cold(c, a);
    wp_melt(c, a);
    wp_adjust(c, a);
}

#endif
