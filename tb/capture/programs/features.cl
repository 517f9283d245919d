// SPDX-License-Identifier: Apache-2.0
// The functions of OpenCL C, and what a kernel can be.
struct pair { int a; float b[3]; };
float scaled(float x) { return x * SCALE; }
__kernel void arithmetic(__global const float *in, __global float *out, int n) {
    int i = get_global_id(0);
    float x = in[i];
    __global float *o = out + i * 32;
    float4 v = (float4)(x, x + 1, x + 2, x + 3);
    float whole;
    o[0] = sqrt(x); o[1] = native_sin(x); o[2] = pow(x, 2.5f); o[3] = fmod(x, 0.7f); o[4] = mad(x, 2.0f, 1.0f);
    o[5] = clamp(x, 0.5f, 1.5f); o[6] = mix(1.0f, 3.0f, x); o[7] = rint(x); o[8] = fract(x, &whole); o[9] = whole;
    o[10] = dot(v, v); o[11] = length(v.xy); o[12] = cross(v.xyz, (float3)(1, 0, 0)).y; o[13] = normalize(v).w;
    o[14] = exp(v).s1; o[15] = fma(v, v, v).s2; o[16] = max(v, 1.0f).s0; o[17] = all(v > 0.0f); o[18] = any(isnan(v));
    o[19] = select(1.0f, 2.0f, n > 1); o[20] = (v < 1.5f ? v : -v).s0; o[21] = scaled(x); o[22] = smoothstep(0.0f, 2.0f, x);
    o[23] = step(1.0f, x); o[24] = sign(-x); o[25] = ldexp(x, 3); o[26] = log2(8.0f); o[27] = hypot(3.0f, 4.0f);
    o[28] = native_divide(x, 2.0f); o[29] = rsqrt(4.0f); o[30] = bitselect(x, -x, as_float(0x80000000u)); o[31] = (float)cbrt((double)27);
}
__kernel void whole(__global const int *in, __global int *out, struct pair p) {
    int i = get_global_id(0), x = in[i];
    __global int *o = out + i * 32;
    char4 c = convert_char4_sat((int4)(x, 300, -300, 5));
    o[0] = abs(x); o[1] = abs_diff(x, 7); o[2] = add_sat(x, 0x7fffffff); o[3] = sub_sat((uint)x, 0xffffffffu);
    o[4] = hadd(x, 5); o[5] = rhadd(x, 5); o[6] = rotate(x, 8); o[7] = popcount(x); o[8] = clz(x); o[9] = mul_hi(x, 0x12345678);
    o[10] = mul24(x, 3); o[11] = upsample((short)x, (ushort)9); o[12] = c.x; o[13] = c.y; o[14] = c.z; o[15] = max(x, 3);
    o[16] = convert_int_rte(2.5f); o[17] = convert_int_rtp(2.1f); o[18] = convert_uchar_sat(-1.5f); o[19] = convert_int_sat(1e20f);
    o[20] = rotate((uchar)0x81, (uchar)1); o[21] = clz((short)1); o[22] = p.a + (int)p.b[x & 1]; o[23] = min((int2)(x, 2), 1).y;
    o[24] = sub_sat((char)-100, (char)100); o[25] = get_work_dim(); o[26] = get_global_offset(0); o[27] = get_group_id(0);
    o[28] = get_num_groups(0); o[29] = get_local_size(1); o[30] = (int)mul_hi(-5L, 1L << 62); o[31] = isequal(1.0, 1.0);
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void moves(__global const float *in, __global float *out, __local float *part, __global int *bins, __global long *wide) {
    int t = get_local_id(0);
    __local int most;
    if (t == 0) most = 0;
    event_t e = async_work_group_copy(part, in, 256, 0);
    wait_group_events(1, &e);
    atomic_max(&most, t);
    vstore4(vload4(63 - t, part) * 2, t, out);
    atomic_inc(&bins[t & 3]);
    atom_add(wide, (long)1 << 33);
    atom_max(wide + 1, (long)t);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (t == 0) { bins[4] = most; printf("item %d of %d: %.2f, %s%%\n", t, (int)get_global_size(0), out[0], "x"); }
}
