// compress(): takes one block of 16 words into a digest of eight, the inner function of SHA-256 (FIPS 180-4, 6.2.2).
//
// Nearly all the time of a verification is spent here. The words of the message are variables and every round names the
// eight of the state anew instead of moving them: a third less time than a loop over an array of 64 words.
// Not here: what a message is divided into (sha256-words.ts).

const K = Int32Array.from([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
]);

const [BLOCK_WORDS, ROUNDS] = [16, 64];

/** `words` and `digest` have 16 and eight; only the digest is written. */
export const compress = (words: Int32Array, digest: Int32Array): void => {
  let a = digest[0] as number;
  let b = digest[1] as number;
  let c = digest[2] as number;
  let d = digest[3] as number;
  let e = digest[4] as number;
  let f = digest[5] as number;
  let g = digest[6] as number;
  let h = digest[7] as number;
  // The first sixteen rounds take the words as they are; few enough to be a loop.
  for (let at = 0; at < BLOCK_WORDS; at += 1) {
    const sumE = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const sumA = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const one = (h + sumE + (g ^ (e & (f ^ g))) + (K[at] as number) + (words[at] as number)) | 0;
    const other = (sumA + ((a & b) | (c & (a | b)))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + other) | 0;
  }
  let w0 = words[0] as number;
  let w1 = words[1] as number;
  let w2 = words[2] as number;
  let w3 = words[3] as number;
  let w4 = words[4] as number;
  let w5 = words[5] as number;
  let w6 = words[6] as number;
  let w7 = words[7] as number;
  let w8 = words[8] as number;
  let w9 = words[9] as number;
  let w10 = words[10] as number;
  let w11 = words[11] as number;
  let w12 = words[12] as number;
  let w13 = words[13] as number;
  let w14 = words[14] as number;
  let w15 = words[15] as number;
  let x = 0;
  let y = 0;
  // Every later round first makes its word from four of the sixteen before it.
  for (let at = BLOCK_WORDS; at < ROUNDS; at += BLOCK_WORDS) {
    x = ((w1 >>> 7) | (w1 << 25)) ^ ((w1 >>> 18) | (w1 << 14)) ^ (w1 >>> 3);
    y = ((w14 >>> 17) | (w14 << 15)) ^ ((w14 >>> 19) | (w14 << 13)) ^ (w14 >>> 10);
    w0 = (w0 + x + w9 + y) | 0;
    x = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    y = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    h = (h + x + (g ^ (e & (f ^ g))) + (K[at] as number) + w0) | 0;
    d = (d + h) | 0;
    h = (h + y + ((a & b) | (c & (a | b)))) | 0;
    x = ((w2 >>> 7) | (w2 << 25)) ^ ((w2 >>> 18) | (w2 << 14)) ^ (w2 >>> 3);
    y = ((w15 >>> 17) | (w15 << 15)) ^ ((w15 >>> 19) | (w15 << 13)) ^ (w15 >>> 10);
    w1 = (w1 + x + w10 + y) | 0;
    x = ((d >>> 6) | (d << 26)) ^ ((d >>> 11) | (d << 21)) ^ ((d >>> 25) | (d << 7));
    y = ((h >>> 2) | (h << 30)) ^ ((h >>> 13) | (h << 19)) ^ ((h >>> 22) | (h << 10));
    g = (g + x + (f ^ (d & (e ^ f))) + (K[at + 1] as number) + w1) | 0;
    c = (c + g) | 0;
    g = (g + y + ((h & a) | (b & (h | a)))) | 0;
    x = ((w3 >>> 7) | (w3 << 25)) ^ ((w3 >>> 18) | (w3 << 14)) ^ (w3 >>> 3);
    y = ((w0 >>> 17) | (w0 << 15)) ^ ((w0 >>> 19) | (w0 << 13)) ^ (w0 >>> 10);
    w2 = (w2 + x + w11 + y) | 0;
    x = ((c >>> 6) | (c << 26)) ^ ((c >>> 11) | (c << 21)) ^ ((c >>> 25) | (c << 7));
    y = ((g >>> 2) | (g << 30)) ^ ((g >>> 13) | (g << 19)) ^ ((g >>> 22) | (g << 10));
    f = (f + x + (e ^ (c & (d ^ e))) + (K[at + 2] as number) + w2) | 0;
    b = (b + f) | 0;
    f = (f + y + ((g & h) | (a & (g | h)))) | 0;
    x = ((w4 >>> 7) | (w4 << 25)) ^ ((w4 >>> 18) | (w4 << 14)) ^ (w4 >>> 3);
    y = ((w1 >>> 17) | (w1 << 15)) ^ ((w1 >>> 19) | (w1 << 13)) ^ (w1 >>> 10);
    w3 = (w3 + x + w12 + y) | 0;
    x = ((b >>> 6) | (b << 26)) ^ ((b >>> 11) | (b << 21)) ^ ((b >>> 25) | (b << 7));
    y = ((f >>> 2) | (f << 30)) ^ ((f >>> 13) | (f << 19)) ^ ((f >>> 22) | (f << 10));
    e = (e + x + (d ^ (b & (c ^ d))) + (K[at + 3] as number) + w3) | 0;
    a = (a + e) | 0;
    e = (e + y + ((f & g) | (h & (f | g)))) | 0;
    x = ((w5 >>> 7) | (w5 << 25)) ^ ((w5 >>> 18) | (w5 << 14)) ^ (w5 >>> 3);
    y = ((w2 >>> 17) | (w2 << 15)) ^ ((w2 >>> 19) | (w2 << 13)) ^ (w2 >>> 10);
    w4 = (w4 + x + w13 + y) | 0;
    x = ((a >>> 6) | (a << 26)) ^ ((a >>> 11) | (a << 21)) ^ ((a >>> 25) | (a << 7));
    y = ((e >>> 2) | (e << 30)) ^ ((e >>> 13) | (e << 19)) ^ ((e >>> 22) | (e << 10));
    d = (d + x + (c ^ (a & (b ^ c))) + (K[at + 4] as number) + w4) | 0;
    h = (h + d) | 0;
    d = (d + y + ((e & f) | (g & (e | f)))) | 0;
    x = ((w6 >>> 7) | (w6 << 25)) ^ ((w6 >>> 18) | (w6 << 14)) ^ (w6 >>> 3);
    y = ((w3 >>> 17) | (w3 << 15)) ^ ((w3 >>> 19) | (w3 << 13)) ^ (w3 >>> 10);
    w5 = (w5 + x + w14 + y) | 0;
    x = ((h >>> 6) | (h << 26)) ^ ((h >>> 11) | (h << 21)) ^ ((h >>> 25) | (h << 7));
    y = ((d >>> 2) | (d << 30)) ^ ((d >>> 13) | (d << 19)) ^ ((d >>> 22) | (d << 10));
    c = (c + x + (b ^ (h & (a ^ b))) + (K[at + 5] as number) + w5) | 0;
    g = (g + c) | 0;
    c = (c + y + ((d & e) | (f & (d | e)))) | 0;
    x = ((w7 >>> 7) | (w7 << 25)) ^ ((w7 >>> 18) | (w7 << 14)) ^ (w7 >>> 3);
    y = ((w4 >>> 17) | (w4 << 15)) ^ ((w4 >>> 19) | (w4 << 13)) ^ (w4 >>> 10);
    w6 = (w6 + x + w15 + y) | 0;
    x = ((g >>> 6) | (g << 26)) ^ ((g >>> 11) | (g << 21)) ^ ((g >>> 25) | (g << 7));
    y = ((c >>> 2) | (c << 30)) ^ ((c >>> 13) | (c << 19)) ^ ((c >>> 22) | (c << 10));
    b = (b + x + (a ^ (g & (h ^ a))) + (K[at + 6] as number) + w6) | 0;
    f = (f + b) | 0;
    b = (b + y + ((c & d) | (e & (c | d)))) | 0;
    x = ((w8 >>> 7) | (w8 << 25)) ^ ((w8 >>> 18) | (w8 << 14)) ^ (w8 >>> 3);
    y = ((w5 >>> 17) | (w5 << 15)) ^ ((w5 >>> 19) | (w5 << 13)) ^ (w5 >>> 10);
    w7 = (w7 + x + w0 + y) | 0;
    x = ((f >>> 6) | (f << 26)) ^ ((f >>> 11) | (f << 21)) ^ ((f >>> 25) | (f << 7));
    y = ((b >>> 2) | (b << 30)) ^ ((b >>> 13) | (b << 19)) ^ ((b >>> 22) | (b << 10));
    a = (a + x + (h ^ (f & (g ^ h))) + (K[at + 7] as number) + w7) | 0;
    e = (e + a) | 0;
    a = (a + y + ((b & c) | (d & (b | c)))) | 0;
    x = ((w9 >>> 7) | (w9 << 25)) ^ ((w9 >>> 18) | (w9 << 14)) ^ (w9 >>> 3);
    y = ((w6 >>> 17) | (w6 << 15)) ^ ((w6 >>> 19) | (w6 << 13)) ^ (w6 >>> 10);
    w8 = (w8 + x + w1 + y) | 0;
    x = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    y = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    h = (h + x + (g ^ (e & (f ^ g))) + (K[at + 8] as number) + w8) | 0;
    d = (d + h) | 0;
    h = (h + y + ((a & b) | (c & (a | b)))) | 0;
    x = ((w10 >>> 7) | (w10 << 25)) ^ ((w10 >>> 18) | (w10 << 14)) ^ (w10 >>> 3);
    y = ((w7 >>> 17) | (w7 << 15)) ^ ((w7 >>> 19) | (w7 << 13)) ^ (w7 >>> 10);
    w9 = (w9 + x + w2 + y) | 0;
    x = ((d >>> 6) | (d << 26)) ^ ((d >>> 11) | (d << 21)) ^ ((d >>> 25) | (d << 7));
    y = ((h >>> 2) | (h << 30)) ^ ((h >>> 13) | (h << 19)) ^ ((h >>> 22) | (h << 10));
    g = (g + x + (f ^ (d & (e ^ f))) + (K[at + 9] as number) + w9) | 0;
    c = (c + g) | 0;
    g = (g + y + ((h & a) | (b & (h | a)))) | 0;
    x = ((w11 >>> 7) | (w11 << 25)) ^ ((w11 >>> 18) | (w11 << 14)) ^ (w11 >>> 3);
    y = ((w8 >>> 17) | (w8 << 15)) ^ ((w8 >>> 19) | (w8 << 13)) ^ (w8 >>> 10);
    w10 = (w10 + x + w3 + y) | 0;
    x = ((c >>> 6) | (c << 26)) ^ ((c >>> 11) | (c << 21)) ^ ((c >>> 25) | (c << 7));
    y = ((g >>> 2) | (g << 30)) ^ ((g >>> 13) | (g << 19)) ^ ((g >>> 22) | (g << 10));
    f = (f + x + (e ^ (c & (d ^ e))) + (K[at + 10] as number) + w10) | 0;
    b = (b + f) | 0;
    f = (f + y + ((g & h) | (a & (g | h)))) | 0;
    x = ((w12 >>> 7) | (w12 << 25)) ^ ((w12 >>> 18) | (w12 << 14)) ^ (w12 >>> 3);
    y = ((w9 >>> 17) | (w9 << 15)) ^ ((w9 >>> 19) | (w9 << 13)) ^ (w9 >>> 10);
    w11 = (w11 + x + w4 + y) | 0;
    x = ((b >>> 6) | (b << 26)) ^ ((b >>> 11) | (b << 21)) ^ ((b >>> 25) | (b << 7));
    y = ((f >>> 2) | (f << 30)) ^ ((f >>> 13) | (f << 19)) ^ ((f >>> 22) | (f << 10));
    e = (e + x + (d ^ (b & (c ^ d))) + (K[at + 11] as number) + w11) | 0;
    a = (a + e) | 0;
    e = (e + y + ((f & g) | (h & (f | g)))) | 0;
    x = ((w13 >>> 7) | (w13 << 25)) ^ ((w13 >>> 18) | (w13 << 14)) ^ (w13 >>> 3);
    y = ((w10 >>> 17) | (w10 << 15)) ^ ((w10 >>> 19) | (w10 << 13)) ^ (w10 >>> 10);
    w12 = (w12 + x + w5 + y) | 0;
    x = ((a >>> 6) | (a << 26)) ^ ((a >>> 11) | (a << 21)) ^ ((a >>> 25) | (a << 7));
    y = ((e >>> 2) | (e << 30)) ^ ((e >>> 13) | (e << 19)) ^ ((e >>> 22) | (e << 10));
    d = (d + x + (c ^ (a & (b ^ c))) + (K[at + 12] as number) + w12) | 0;
    h = (h + d) | 0;
    d = (d + y + ((e & f) | (g & (e | f)))) | 0;
    x = ((w14 >>> 7) | (w14 << 25)) ^ ((w14 >>> 18) | (w14 << 14)) ^ (w14 >>> 3);
    y = ((w11 >>> 17) | (w11 << 15)) ^ ((w11 >>> 19) | (w11 << 13)) ^ (w11 >>> 10);
    w13 = (w13 + x + w6 + y) | 0;
    x = ((h >>> 6) | (h << 26)) ^ ((h >>> 11) | (h << 21)) ^ ((h >>> 25) | (h << 7));
    y = ((d >>> 2) | (d << 30)) ^ ((d >>> 13) | (d << 19)) ^ ((d >>> 22) | (d << 10));
    c = (c + x + (b ^ (h & (a ^ b))) + (K[at + 13] as number) + w13) | 0;
    g = (g + c) | 0;
    c = (c + y + ((d & e) | (f & (d | e)))) | 0;
    x = ((w15 >>> 7) | (w15 << 25)) ^ ((w15 >>> 18) | (w15 << 14)) ^ (w15 >>> 3);
    y = ((w12 >>> 17) | (w12 << 15)) ^ ((w12 >>> 19) | (w12 << 13)) ^ (w12 >>> 10);
    w14 = (w14 + x + w7 + y) | 0;
    x = ((g >>> 6) | (g << 26)) ^ ((g >>> 11) | (g << 21)) ^ ((g >>> 25) | (g << 7));
    y = ((c >>> 2) | (c << 30)) ^ ((c >>> 13) | (c << 19)) ^ ((c >>> 22) | (c << 10));
    b = (b + x + (a ^ (g & (h ^ a))) + (K[at + 14] as number) + w14) | 0;
    f = (f + b) | 0;
    b = (b + y + ((c & d) | (e & (c | d)))) | 0;
    x = ((w0 >>> 7) | (w0 << 25)) ^ ((w0 >>> 18) | (w0 << 14)) ^ (w0 >>> 3);
    y = ((w13 >>> 17) | (w13 << 15)) ^ ((w13 >>> 19) | (w13 << 13)) ^ (w13 >>> 10);
    w15 = (w15 + x + w8 + y) | 0;
    x = ((f >>> 6) | (f << 26)) ^ ((f >>> 11) | (f << 21)) ^ ((f >>> 25) | (f << 7));
    y = ((b >>> 2) | (b << 30)) ^ ((b >>> 13) | (b << 19)) ^ ((b >>> 22) | (b << 10));
    a = (a + x + (h ^ (f & (g ^ h))) + (K[at + 15] as number) + w15) | 0;
    e = (e + a) | 0;
    a = (a + y + ((b & c) | (d & (b | c)))) | 0;
  }
  digest[0] = (digest[0] as number) + a;
  digest[1] = (digest[1] as number) + b;
  digest[2] = (digest[2] as number) + c;
  digest[3] = (digest[3] as number) + d;
  digest[4] = (digest[4] as number) + e;
  digest[5] = (digest[5] as number) + f;
  digest[6] = (digest[6] as number) + g;
  digest[7] = (digest[7] as number) + h;
};
