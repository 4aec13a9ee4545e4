// The artwork recipe of the catalogue: pure, dependency-free and deterministic (the same slug and colour give the
// same SVG string). cover() is square or wide, portrait() a backlit cameo, heroArt() the home hero.
// Colour maths is OKLCH so that every hue keeps the same perceived depth.

export const hash = (s) => {
  let h = 2166136261;
  for (const c of s) {
    h ^= c.codePointAt(0);
    h = Math.imul(h, 16777619);
  }
  return h >>> 0;
};
export const rng = (seed) => {
  let a = typeof seed === 'string' ? hash(seed) : seed;
  return () => {
    a |= 0;
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
};

const toLin = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
const toGam = (v) => (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055);
export function hexToOklch(hex) {
  const n = parseInt(hex.slice(1), 16),
    r = toLin((n >> 16) / 255),
    g = toLin(((n >> 8) & 255) / 255),
    b = toLin((n & 255) / 255);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b),
    m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b),
    s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const L = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    A = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    B = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return [L, Math.hypot(A, B), ((Math.atan2(B, A) * 180) / Math.PI + 360) % 360];
}
export function oklch(L, C, H) {
  for (let c = C; c >= 0; c -= 0.004) {
    // pull chroma in until the colour is inside sRGB
    const a = c * Math.cos((H * Math.PI) / 180),
      b = c * Math.sin((H * Math.PI) / 180);
    const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3,
      m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3,
      s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
    const rgb = [
      4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
      -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
      -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
    ];
    if (rgb.every((v) => v > -0.0005 && v < 1.0005) || c < 0.004)
      return (
        '#' +
        rgb
          .map((v) =>
            Math.round(255 * toGam(Math.min(1, Math.max(0, v))))
              .toString(16)
              .padStart(2, '0'),
          )
          .join('')
      );
  }
}
// duotone: the audio's colour is the mid; shadows lean cool, lights lean warm (candle side)
export function palette(color, r) {
  const [, C, H] = hexToOklch(color),
    c = Math.max(0.06, Math.min(0.15, C)),
    red = H > 230 || H < 52,
    amber = H >= 52 && H < 112;
  const j = r(),
    k = r(),
    rose = H > 335 || H < 52,
    warm = (H + (red ? 24 + j * 22 : amber ? 4 + j * 10 : -(24 + j * 22)) + 360) % 360,
    cool = (H + (rose ? -(6 + k * 20) : red ? -(18 + k * 18) : amber ? -(38 + k * 16) : 22 + k * 20) + 360) % 360;
  const half = (H + (((cool - H + 540) % 360) - 180) / 2 + 360) % 360;
  return {
    ink: oklch(0.17, c * 0.42, cool),
    deep: oklch(0.27, c * 0.72, cool),
    low: oklch(0.38, c * 0.9, half),
    mid: oklch(0.55, c, H),
    high: oklch(0.72, c * 0.92, warm),
    glow: oklch(0.86, c * 0.62, warm),
    pale: oklch(0.94, c * 0.3, warm),
    H,
    warm,
    cool,
  };
}
const f = (v) => +v.toFixed(1),
  P = (r, a, b) => a + r() * (b - a),
  pick = (r, a) => a[Math.floor(r() * a.length)];
const lin = (id, stops, x1 = 0, y1 = 0, x2 = 0, y2 = 1) =>
  `<linearGradient id="${id}" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}">${stops.map(([o, c, a = 1]) => `<stop offset="${o}" stop-color="${c}"${a < 1 ? ` stop-opacity="${a}"` : ''}/>`).join('')}</linearGradient>`;
const rad = (id, stops, cx = 0.5, cy = 0.5, rr = 0.5) =>
  `<radialGradient id="${id}" cx="${cx}" cy="${cy}" r="${rr}">${stops.map(([o, c, a = 1]) => `<stop offset="${o}" stop-color="${c}"${a < 1 ? ` stop-opacity="${a}"` : ''}/>`).join('')}</radialGradient>`;

const M = {
  moon(r, p, w, h) {
    const R = P(r, 0.2, 0.29) * Math.min(w, h),
      cx = w * P(r, 0.36, 0.64),
      cy = h * P(r, 0.34, 0.46),
      hz = h * P(r, 0.62, 0.7);
    let s = '';
    s += `<circle cx="${f(cx)}" cy="${f(cy)}" r="${f(R * 2.3)}" fill="url(#halo)"/><circle cx="${f(cx)}" cy="${f(cy)}" r="${f(R)}" fill="url(#disc)"/>`;
    s += `<rect x="0" y="${f(hz)}" width="${w}" height="${f(h - hz)}" fill="url(#sea)"/>`;
    for (let i = 0; i < 11; i++) {
      const t = i / 10,
        y = hz + (h - hz) * (0.05 + t * t * 0.86),
        ww = R * (0.5 + t * 1.6) * P(r, 0.5, 1.15),
        hh = 2.5 + t * 9;
      s += `<rect x="${f(cx - ww / 2 + P(r, -12, 12))}" y="${f(y)}" width="${f(ww)}" height="${f(hh)}" rx="${f(hh / 2)}" fill="${p.glow}" opacity="${f((0.75 - t * 0.5) * 10) / 10}"/>`;
    }
    return [
      lin('disc', [
        [0, p.pale],
        [0.55, p.glow],
        [1, p.high],
      ]) +
        rad('halo', [
          [0, p.high, 0.55],
          [0.5, p.mid, 0.22],
          [1, p.mid, 0],
        ]) +
        lin('sea', [
          [0, p.low],
          [1, p.ink],
        ]),
      s,
      lin('bg', [
        [0, p.deep],
        [0.5, p.low],
        [0.68, p.mid],
      ]),
    ];
  },
  petals(r, p, w, h) {
    const n = 7 + Math.floor(r() * 4),
      cx = w * P(r, 0.44, 0.56),
      cy = h * P(r, 0.66, 0.82),
      spread = P(r, 150, 190);
    let s = `<circle cx="${f(cx)}" cy="${f(cy - h * 0.18)}" r="${f(h * 0.5)}" fill="url(#halo)"/>`;
    const order = [...Array(n).keys()].sort((a, b) => Math.abs(b - (n - 1) / 2) - Math.abs(a - (n - 1) / 2));
    for (const i of order) {
      const a = -spread / 2 + (spread * i) / (n - 1),
        L = h * P(r, 0.46, 0.6) * (1 - Math.abs(a) / 420),
        W = L * P(r, 0.34, 0.42);
      s += `<path transform="translate(${f(cx)} ${f(cy)}) rotate(${f(a)})" d="M0 0C${f(-W)} ${f(-L * 0.35)} ${f(-W * 0.72)} ${f(-L * 0.86)} 0 ${f(-L)}C${f(W * 0.72)} ${f(-L * 0.86)} ${f(W)} ${f(-L * 0.35)} 0 0Z" fill="url(#pt)" opacity=".9" stroke="${p.ink}" stroke-opacity=".18" stroke-width="2"/>`;
    }
    s += `<ellipse cx="${f(cx)}" cy="${f(cy + 6)}" rx="${f(w * 0.6)}" ry="${f(h * 0.1)}" fill="${p.ink}" opacity=".45" filter="url(#soft)"/>`;
    return [
      lin('pt', [
        [0, p.glow],
        [0.4, p.high],
        [0.78, p.mid],
        [1, p.deep],
      ]) +
        rad('halo', [
          [0, p.high, 0.5],
          [1, p.mid, 0],
        ]),
      s,
      lin('bg', [
        [0, p.ink],
        [0.6, p.deep],
        [1, p.low],
      ]),
    ];
  },
  folds(r, p, w, h) {
    const n = 6 + Math.floor(r() * 4);
    let s = '',
      xs = [-w * 0.1];
    for (let i = 0; i < n; i++) xs.push(xs[i] + ((w * 1.25) / n) * P(r, 0.6, 1.4));
    xs[n] = w * 1.15;
    const sway = P(r, -0.16, 0.16) * w,
      b1 = P(r, 0.25, 0.45) * h,
      b2 = P(r, 0.55, 0.8) * h,
      edge = (x, k) => [x, x + sway * (1 + k), x - sway * 0.7 * (1 - k), x + sway * 0.4];
    let light = Math.floor(P(r, 1, n - 1));
    for (let i = 0; i < n; i++) {
      const A = edge(xs[i], (i / n) * 0.4),
        B = edge(xs[i + 1], ((i + 1) / n) * 0.4),
        lit = 1 - Math.min(1, Math.abs(i - light) / (n * 0.62));
      s += `<path d="M${f(A[0])} -5C${f(A[1])} ${f(b1)} ${f(A[2])} ${f(b2)} ${f(A[3])} ${h + 5}L${f(B[3] + 3)} ${h + 5}C${f(B[2] + 3)} ${f(b2)} ${f(B[1] + 3)} ${f(b1)} ${f(B[0] + 3)} -5Z" fill="url(#fa)"/><path d="M${f(A[0])} -5C${f(A[1])} ${f(b1)} ${f(A[2])} ${f(b2)} ${f(A[3])} ${h + 5}L${f(B[3] + 3)} ${h + 5}C${f(B[2] + 3)} ${f(b2)} ${f(B[1] + 3)} ${f(b1)} ${f(B[0] + 3)} -5Z" fill="url(#fb)" opacity="${f(lit * 10) / 10}"/>`;
    }
    s += `<rect width="${w}" height="${h}" fill="url(#shade)"/>`;
    return [
      lin(
        'fa',
        [
          [0, p.ink],
          [0.5, p.low],
          [1, p.deep],
        ],
        0,
        0,
        1,
        0,
      ) +
        lin(
          'fb',
          [
            [0, p.low, 0],
            [0.35, p.high],
            [0.5, p.glow],
            [0.62, p.mid],
            [1, p.deep, 0],
          ],
          0,
          0,
          1,
          0,
        ) +
        lin('shade', [
          [0, p.ink, 0],
          [0.6, p.ink, 0],
          [1, p.ink, 0.7],
        ]),
      s,
      lin('bg', [
        [0, p.deep],
        [1, p.ink],
      ]),
    ];
  },
  arches(r, p, w, h) {
    const n = 5,
      cx = w * P(r, 0.4, 0.6),
      base = h * P(r, 0.78, 0.86),
      W = Math.min(w, h) * 0.8;
    let s = '';
    const cols = [p.deep, p.low, p.mid, p.high, p.glow];
    for (let i = 0; i < n; i++) {
      const t = i / n,
        ww = W * (1 - t * 0.86),
        rr = ww / 2,
        top = base - h * 0.68 * (1 - t * 0.62);
      s += `<path d="M${f(cx - rr)} ${f(base)}V${f(top + rr)}A${f(rr)} ${f(rr)} 0 0 1 ${f(cx + rr)} ${f(top + rr)}V${f(base)}Z" fill="${i === n - 1 ? 'url(#door)' : cols[i]}"/>`;
    }
    const dw = (W * (1 - 0.8 * 0.86)) / 2,
      sk = P(r, -140, 140);
    s += `<rect y="${f(base)}" width="${w}" height="${f(h - base)}" fill="${p.ink}"/><path d="M${f(cx - dw)} ${f(base)}H${f(cx + dw)}L${f(cx + dw * 2.3 + sk)} ${h}H${f(cx - dw * 2.3 + sk)}Z" fill="url(#spill)"/>`;
    return [
      lin('door', [
        [0, p.pale],
        [1, p.glow],
      ]) +
        lin('spill', [
          [0, p.glow, 0.8],
          [1, p.high, 0.15],
        ]),
      s,
      lin('bg', [
        [0, p.ink],
        [1, p.deep],
      ]),
    ];
  },
  embrace(r, p, w, h) {
    const R = Math.min(w, h) * P(r, 0.3, 0.35),
      d = R * P(r, 0.5, 0.72),
      a = P(r, -0.9, 0.9),
      cx = w / 2,
      cy = h / 2,
      x1 = cx - Math.cos(a) * d,
      y1 = cy - Math.sin(a) * d,
      x2 = cx + Math.cos(a) * d,
      y2 = cy + Math.sin(a) * d;
    const s = `<circle cx="${f(cx)}" cy="${f(cy)}" r="${f(R * 1.9)}" fill="url(#halo)"/><circle cx="${f(x1)}" cy="${f(y1)}" r="${f(R)}" fill="url(#ca)"/><circle cx="${f(x2)}" cy="${f(y2)}" r="${f(R)}" fill="url(#cb)" opacity=".96"/><g clip-path="url(#cl)"><circle cx="${f(x2)}" cy="${f(y2)}" r="${f(R)}" fill="url(#cc)"/></g>`;
    return [
      lin(
        'ca',
        [
          [0, p.high],
          [1, p.low],
        ],
        0,
        0,
        1,
        1,
      ) +
        lin(
          'cb',
          [
            [0, p.deep],
            [1, p.mid],
          ],
          0,
          0,
          1,
          1,
        ) +
        lin(
          'cc',
          [
            [0, p.pale],
            [1, p.high],
          ],
          0,
          0,
          0.6,
          1,
        ) +
        rad('halo', [
          [0, p.mid, 0.5],
          [1, p.mid, 0],
        ]) +
        `<clipPath id="cl"><circle cx="${f(x1)}" cy="${f(y1)}" r="${f(R)}"/></clipPath>`,
      s,
      lin(
        'bg',
        [
          [0, p.deep],
          [1, p.ink],
        ],
        0,
        0,
        1,
        1,
      ),
    ];
  },
  dunes(r, p, w, h) {
    const n = 5,
      cx = w * P(r, 0.25, 0.75),
      cy = h * P(r, 0.26, 0.4),
      R = Math.min(w, h) * P(r, 0.1, 0.17),
      cols = [p.high, p.mid, p.low, p.deep, p.ink];
    let s = `<circle cx="${f(cx)}" cy="${f(cy)}" r="${f(R * 3)}" fill="url(#halo)"/><circle cx="${f(cx)}" cy="${f(cy)}" r="${f(R)}" fill="${p.pale}"/>`;
    for (let i = 0; i < n; i++) {
      const y = h * (0.44 + i * 0.125),
        A = h * P(r, 0.04, 0.1) * (r() < 0.5 ? -1 : 1);
      s += `<path d="M0 ${f(y + A * 0.4)}C${f(w * 0.25)} ${f(y - A)} ${f(w * 0.42)} ${f(y - A)} ${f(w * 0.56)} ${f(y)}S${f(w * 0.86)} ${f(y + A)} ${w} ${f(y - A * 0.3)}V${h}H0Z" fill="${cols[i]}" opacity="${i ? 0.95 : 0.7}"/>`;
    }
    return [
      rad('halo', [
        [0, p.glow, 0.7],
        [1, p.glow, 0],
      ]),
      s,
      lin('bg', [
        [0, p.low],
        [0.45, p.high],
        [0.6, p.glow],
      ]),
    ];
  },
  ripples(r, p, w, h) {
    const cx = w * P(r, 0.3, 0.7),
      cy = h * P(r, 0.34, 0.66),
      n = 13,
      st = Math.max(w, h) * 0.052;
    let s = `<circle cx="${f(cx)}" cy="${f(cy)}" r="${f(st * 6)}" fill="url(#halo)"/>`;
    for (let i = n; i > 0; i--) {
      const t = i / n;
      s += `<ellipse cx="${f(cx)}" cy="${f(cy)}" rx="${f(i * st)}" ry="${f(i * st * 0.985)}" fill="none" stroke="${t < 0.45 ? p.glow : p.high}" stroke-width="${f(1 + (1 - t) * (1 - t) * 17)}" opacity="${f((0.18 + (1 - t) * 0.72) * 100) / 100}"/>`;
    }
    s += `<circle cx="${f(cx)}" cy="${f(cy)}" r="${f(st * 0.52)}" fill="${p.pale}"/>`;
    return [
      rad('halo', [
        [0, p.high, 0.7],
        [1, p.mid, 0],
      ]),
      s,
      lin(
        'bg',
        [
          [0, p.low],
          [0.5, p.deep],
          [1, p.ink],
        ],
        0,
        0,
        0.7,
        1,
      ),
    ];
  },
  strings(r, p, w, h) {
    const n = 44,
      flip = r() < 0.5,
      a = P(r, 0.12, 0.3),
      b = P(r, 0.7, 0.9),
      c = P(r, 0.35, 0.65),
      ph = P(r, 0.2, 0.5);
    let s = `<circle cx="${f(w * (flip ? 0.2 : 0.8))}" cy="${f(h * c)}" r="${f(h * 0.55)}" fill="url(#halo)"/>`;
    for (let i = 0; i < n; i++) {
      const t = i / (n - 1),
        y1 = h * (a - 0.25 + t * (b - a + 0.5)),
        y2 = h * (c + (t - 0.5) * 0.07),
        mx = h * (c + (t - 0.5) * (1 - ph) + Math.sin(t * 7) * 0.05);
      const d = flip
        ? `M${w + 10} ${f(y1)}C${f(w * 0.62)} ${f(mx)} ${f(w * 0.5)} ${f(y2)} -10 ${f(y2 + (t - 0.5) * 30)}`
        : `M-10 ${f(y1)}C${f(w * 0.38)} ${f(mx)} ${f(w * 0.5)} ${f(y2)} ${w + 10} ${f(y2 + (t - 0.5) * 30)}`;
      s += `<path d="${d}" fill="none" stroke="${i % 4 === 0 ? p.pale : p.glow}" stroke-width="${i % 4 === 0 ? 2.6 : 1.5}" opacity="${f((0.35 + 0.5 * Math.sin(t * Math.PI)) * 100) / 100}"/>`;
    }
    return [
      rad('halo', [
        [0, p.high, 0.75],
        [1, p.mid, 0],
      ]),
      s,
      lin(
        'bg',
        [
          [0, p.ink],
          [0.55, p.low],
          [1, p.deep],
        ],
        0,
        0,
        1,
        1,
      ),
    ];
  },
  stem(r, p, w, h) {
    const lean = P(r, -0.14, 0.14) * w,
      x0 = w / 2 - lean,
      n = 5 + Math.floor(r() * 2),
      R = Math.min(w, h) * P(r, 0.26, 0.32);
    let s = `<circle cx="${f(w / 2 + lean * 0.7)}" cy="${f(h * 0.36)}" r="${f(R)}" fill="url(#disc)"/>`;
    const at = (t) => {
      const u = 1 - t;
      return [
        u * u * x0 + 2 * u * t * (w / 2 + lean * 1.6) + t * t * (w / 2 + lean),
        u * u * h * 1.02 + 2 * u * t * h * 0.6 + t * t * h * 0.2,
      ];
    };
    s += `<path d="M${f(x0)} ${f(h * 1.02)}Q${f(w / 2 + lean * 1.6)} ${f(h * 0.6)} ${f(w / 2 + lean)} ${f(h * 0.2)}" fill="none" stroke="${p.ink}" stroke-width="7" stroke-linecap="round"/>`;
    for (let i = 0; i < n; i++) {
      const t = 0.2 + (0.74 * i) / n,
        [x, y] = at(t),
        L = h * 0.27 * (1 - t * 0.5),
        W = L * 0.3;
      for (const k of [-1, 1])
        s += `<path transform="translate(${f(x)} ${f(y)}) rotate(${f(k * (62 - t * 22) + P(r, -6, 6))})" d="M0 0C${f(-W)} ${f(-L * 0.3)} ${f(-W * 0.7)} ${f(-L * 0.8)} 0 ${f(-L)}C${f(W * 0.7)} ${f(-L * 0.8)} ${f(W)} ${f(-L * 0.3)} 0 0Z" fill="${k < 0 ? 'url(#la)' : 'url(#lb)'}"/>`;
    }
    const [tx, ty] = at(1);
    s += `<path transform="translate(${f(tx)} ${f(ty + 14)})" d="M0 0C-34 -26 -24 -84 0 -108C24 -84 34 -26 0 0Z" fill="url(#la)"/>`;
    return [
      lin('disc', [
        [0, p.pale],
        [0.5, p.glow],
        [1, p.high],
      ]) +
        lin('la', [
          [0, p.deep],
          [1, p.ink],
        ]) +
        lin('lb', [
          [0, p.low],
          [1, p.deep],
        ]),
      s,
      lin('bg', [
        [0, p.low],
        [0.6, p.mid],
        [1, p.high],
      ]),
    ];
  },
  candle(r, p, w, h) {
    const cx = w * P(r, 0.4, 0.6),
      by = h * 0.7,
      H = h * P(r, 0.4, 0.5),
      W = H * 0.24,
      k = P(r, -26, 26);
    let s = '';
    for (let i = 5; i > 0; i--)
      s += `<circle cx="${f(cx)}" cy="${f(by - H * 0.42)}" r="${f(h * 0.115 * i)}" fill="${p.high}" opacity="${f(0.06 + (5 - i) * 0.035)}"/>`;
    const flame = (q, fill) =>
      `<path transform="translate(${f(cx)} ${f(by)}) scale(${q})" d="M0 0C${f(-W)} ${f(-H * 0.06)} ${f(-W * 1.05)} ${f(-H * 0.42)} ${f(k * 0.4)} ${f(-H * 0.7)}Q${f(k * 0.8)} ${f(-H * 0.86)} ${f(k)} ${f(-H)}C${f(k + W * 0.5)} ${f(-H * 0.74)} ${f(W * 1.08)} ${f(-H * 0.46)} ${f(W * 0.86)} ${f(-H * 0.22)}C${f(W * 0.7)} ${f(-H * 0.06)} ${f(W * 0.3)} 0 0 0Z" fill="${fill}"/>`;
    s +=
      flame(1, 'url(#fl)') +
      flame(0.6, 'url(#fi)') +
      `<path d="M${f(cx)} ${f(by + 4)}v${f(h * 0.05)}" stroke="${p.ink}" stroke-width="7" stroke-linecap="round"/><path d="M${f(cx - w * 0.13)} ${h}V${f(by + h * 0.07)}Q${f(cx)} ${f(by + h * 0.03)} ${f(cx + w * 0.13)} ${f(by + h * 0.07)}V${h}Z" fill="url(#wx)"/>`;
    return [
      lin('fl', [
        [0, p.mid],
        [0.45, p.high],
        [0.85, p.glow],
        [1, p.high],
      ]) +
        lin('fi', [
          [0, p.glow],
          [0.5, p.pale],
          [1, p.pale],
        ]) +
        lin('wx', [
          [0, p.high],
          [0.35, p.low],
          [1, p.ink],
        ]),
      s,
      rad(
        'bg',
        [
          [0, p.low],
          [0.6, p.deep],
          [1, p.ink],
        ],
        0.5,
        0.45,
        0.75,
      ),
    ];
  },
};
export const motifs = Object.keys(M);
const grain = (w, h, seed, a = 0.5) =>
  `<filter id="gr" x="0" y="0" width="100%" height="100%"><feTurbulence type="fractalNoise" baseFrequency=".82" numOctaves="2" seed="${seed % 97}"/><feColorMatrix values="0 0 0 0 .5  0 0 0 0 .5  0 0 0 0 .5  .9 .9 0 0 -.42"/></filter><filter id="gr2" x="0" y="0" width="100%" height="100%"><feTurbulence type="fractalNoise" baseFrequency=".82" numOctaves="2" seed="${seed % 97}"/><feColorMatrix type="saturate" values="0"/><feComponentTransfer><feFuncA type="linear" slope="${a}"/></feComponentTransfer></filter>`;

export function cover({ slug, color, motif, w = 600, h = 600 }) {
  const r = rng(slug),
    p = palette(color, r),
    m = motif || pick(r, motifs),
    [defs, body, bg] = M[m](r, p, w, h);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${h}" preserveAspectRatio="xMidYMid slice"><defs>${bg}${defs}<filter id="soft" color-interpolation-filters="sRGB" x="-30%" y="-60%" width="160%" height="220%"><feGaussianBlur stdDeviation="18"/></filter>${lin(
    'vig',
    [
      [0, p.ink, 0],
      [0.7, p.ink, 0.05],
      [1, p.ink, 0.42],
    ],
  )}${grain(w, h, hash(slug), 0.42).replace(/<filter id="gr".*?<\/filter>/, '')}</defs><rect width="${w}" height="${h}" fill="url(#bg)"/>${body}<rect width="${w}" height="${h}" fill="url(#vig)"/><rect width="${w}" height="${h}" filter="url(#gr2)" style="mix-blend-mode:soft-light"/></svg>`;
}

// Voice portraits: a backlit cameo profile, never a face. Hair sits as its own layer so the bust has depth.
const BUST =
  'M500 700C492 606 430 584 372 566C334 552 322 506 328 456C331 441 341 435 354 435C376 439 400 434 405 414C408 402 405 393 402 383C412 378 417 369 412 360C409 356 405 353 402 350C413 347 421 338 416 330C413 325 410 322 410 317C424 318 440 311 435 299C428 282 404 262 400 242C402 226 404 209 399 191C392 158 370 128 330 116C250 94 172 142 166 230C162 300 184 350 206 392C216 430 212 476 188 508C156 546 60 560 30 700Z';
const HAIR = {
  crop: 'M392 172C376 176 352 172 330 186C316 200 316 226 300 236C290 262 296 282 286 300C272 292 258 300 262 324C258 352 226 372 204 384C178 340 158 286 162 222C172 128 262 84 344 110C368 120 386 146 392 172Z',
  chignon:
    'M396 180C364 172 332 196 312 232C296 262 290 290 262 318C246 340 236 362 214 376C206 412 160 424 128 402C96 380 96 332 126 308C138 298 152 294 164 298C150 248 160 188 196 146C236 102 300 92 346 112C370 124 388 150 396 180Z',
  long: 'M397 186C366 174 338 196 322 236C308 276 312 330 292 378C278 420 276 468 286 520C292 566 270 610 226 640C166 668 96 640 84 588C72 536 118 500 130 446C142 396 132 340 140 272C146 188 196 116 270 100C340 92 388 136 397 186Z',
  bob: 'M397 188C370 172 344 194 330 232C320 268 330 306 334 346C336 376 318 398 288 408C246 420 196 418 168 398C142 372 138 322 142 270C146 186 200 112 276 102C342 96 386 140 397 188Z',
  pony: 'M396 180C366 174 334 196 314 230C298 258 290 290 264 312C244 330 226 344 206 350C190 330 178 306 170 280C150 296 142 340 132 392C124 440 96 476 62 488C74 452 70 410 74 362C80 300 104 236 150 206C176 140 250 86 346 112C370 124 388 150 396 180Z',
  afro: (() => {
    let d = '';
    const r = rng('afro');
    for (let i = 0; i < 30; i++) {
      const a = Math.PI * (0.42 + (1.3 * i) / 29),
        R = 128 + r() * 10,
        q = 30 + r() * 9,
        x = 262 + Math.cos(a) * R * 0.98,
        y = 232 + Math.sin(a) * R;
      if (x > 372 && y > 150) continue;
      d += `M${f(x - q)} ${f(y)}a${f(q)} ${f(q)} 0 1 0 ${f(2 * q)} 0a${f(q)} ${f(q)} 0 1 0 ${f(-2 * q)} 0Z`;
    }
    return (
      d +
      'M390 164C374 128 330 102 268 102C200 100 142 150 136 226C132 284 150 334 190 360C222 380 262 374 284 344C306 310 314 268 326 234C338 196 360 172 390 164Z'
    );
  })(),
  waves:
    'M396 184C372 168 346 186 334 216C322 248 336 276 324 306C312 334 328 362 312 392C296 420 314 452 296 484C276 520 226 536 186 518C142 510 118 476 132 440C140 414 118 388 128 354C138 326 118 296 132 258C128 196 170 128 236 106C316 86 386 128 396 184Z',
  wrap: 'M404 206C380 200 350 206 326 226C300 250 284 280 250 300C222 314 190 312 168 300C120 282 92 222 116 164C142 100 214 62 288 74C352 84 402 130 404 206Z',
  beard:
    'M392 172C376 176 352 172 330 186C316 200 316 226 306 240C298 264 298 286 294 304C302 322 334 348 370 357C388 361 398 367 404 381C411 396 413 418 402 434C386 448 352 450 330 442C306 426 284 404 268 372C256 352 226 372 204 384C178 340 158 286 162 222C172 128 262 84 344 110C368 120 386 146 392 172Z',
};
const EARS = { crop: 1, chignon: 2, pony: 2, beard: 1 };
const ear = (hair, p) =>
  EARS[hair]
    ? `<g transform="translate(288 298) scale(.84) translate(-288 -298)"><path d="M276 318C262 300 264 268 284 264C304 260 312 282 304 300C300 312 296 326 286 328C281 328 279 324 276 318Z" fill="${p.low}"/><path d="M282 310C272 298 274 276 288 274C298 274 300 286 296 296" fill="none" stroke="${p.ink}" stroke-opacity=".55" stroke-width="3.5" stroke-linecap="round"/>${EARS[hair] === 2 ? `<path d="M286 330v14" stroke="${p.glow}" stroke-width="2"/><circle cx="286" cy="351" r="7.5" fill="${p.glow}"/>` : ''}</g>`
    : '';
const strands = (p) => {
  const A = [392, 142, 240, 92, 140, 176, 128, 330],
    B = [386, 176, 330, 170, 262, 240, 216, 392],
    C = [300, 100, 176, 104, 104, 220, 108, 340],
    D = [206, 380, 176, 430, 146, 500, 150, 620],
    E = [140, 340, 104, 430, 90, 510, 96, 620];
  const mix = (u, v, t) => u.map((q, k) => f(q + (v[k] - q) * t));
  const L = [
    ...Array.from({ length: 10 }, (_, k) => mix(A, B, k / 9)),
    mix(C, A, 0),
    mix(C, A, 0.5),
    ...Array.from({ length: 5 }, (_, k) => mix(D, E, k / 4)),
  ];
  return L.map(
    ([a, b, c, d, e, g, x, y], k) =>
      `<path d="M${a} ${b}C${c} ${d} ${e} ${g} ${x} ${y}" fill="none" stroke="${p.high}" stroke-opacity="${k % 3 ? 0.13 : 0.24}" stroke-width="${k % 3 ? 1.3 : 2}" stroke-linecap="round"/>`,
  ).join('');
};
export const hairs = Object.keys(HAIR);
export function portrait({ slug, color, style }) {
  const r = rng('voice:' + slug),
    p = palette(color, r),
    hair = style || pick(r, hairs),
    tilt = P(r, -7, 4),
    flip = r() < 0.5,
    dx = P(r, 330, 400),
    dy = P(r, 220, 300),
    dR = P(r, 176, 216),
    sc = P(r, 0.98, 1.08);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 600" preserveAspectRatio="xMidYMid slice"><defs>${lin(
    'bg',
    [
      [0, p.low],
      [0.55, p.mid],
      [1, p.low],
    ],
    0,
    0,
    1,
    1,
  )}${lin('disc', [
    [0, p.pale],
    [0.5, p.glow],
    [1, p.high],
  ])}${rad('halo', [
    [0, p.glow, 0.5],
    [1, p.glow, 0],
  ])}${lin(
    'face',
    [
      [0, p.ink],
      [0.45, p.deep],
      [0.68, p.low],
      [0.8, p.mid],
    ],
    0,
    0.2,
    1,
    0,
  )}${lin(
    'hair',
    [
      [0, p.deep],
      [0.5, p.ink],
      [1, p.ink],
    ],
    0,
    0,
    0.6,
    1,
  )}${lin('rim', [
    [0, p.pale],
    [0.7, p.high],
    [1, p.mid],
  ])}<path id="s" d="${BUST}"/><path id="h" d="${HAIR[hair]}"/><mask id="m"><use href="#s" fill="#fff"/></mask><mask id="n"><use href="#h" fill="#fff"/></mask><filter id="b" color-interpolation-filters="sRGB" x="-10%" y="-10%" width="120%" height="120%"><feGaussianBlur stdDeviation="6"/></filter>${grain(600, 600, hash(slug), 0.42).replace(/<filter id="gr".*?<\/filter>/, '')}</defs><rect width="600" height="600" fill="url(#bg)"/><g${flip ? ' transform="translate(600 0) scale(-1 1)"' : ''}><circle cx="${f(dx)}" cy="${f(dy)}" r="${f(dR * 1.7)}" fill="url(#halo)"/><circle cx="${f(dx)}" cy="${f(dy)}" r="${f(dR)}" fill="url(#disc)"/><g transform="translate(18 34) rotate(${f(tilt)} 300 560) translate(300 600) scale(${f(sc * 100) / 100}) translate(-300 -600)"><g mask="url(#m)"><rect x="-50" width="700" height="760" fill="url(#rim)"/><use href="#s" fill="url(#face)" transform="translate(-9 6)" filter="url(#b)"/></g><g mask="url(#n)"><rect x="-50" width="700" height="760" fill="${p.high}"/><use href="#h" fill="url(#hair)" transform="translate(-5 7)" filter="url(#b)"/>${hair === 'afro' || hair === 'wrap' ? '' : strands(p)}</g>${ear(hair, p)}</g></g><rect width="600" height="600" filter="url(#gr2)" style="mix-blend-mode:soft-light"/></svg>`;
}

// Home hero: a cameo speaking into the dark; the voice leaves the lips as a hairpin of fine lines that thins to nothing.
export function heroArt({ color = '#A8405A', w = 1600, h = 860, hair = 'chignon' } = {}) {
  const r = rng('sotto-hero'),
    p = { ink: '#1B0C11', deep: '#34121C', low: '#551C28', mid: '#93404A', high: '#F2A183', glow: '#FFD9BF' },
    k = 1.3,
    tx = 1500,
    ty = 52,
    mx = tx - 414 * k,
    my = ty + 347 * k;
  let lines = '';
  for (let i = 0; i < 46; i++) {
    const t = i / 45,
      s = t - 0.5,
      ey = my + s * 1000 + Math.sin(t * 19) * 16,
      c1 = my + s * 70,
      c2 = my + s * 420 + Math.sin(t * 13 + 1) * 40;
    lines += `<path d="M${f(mx - 4)} ${f(my + s * 22)}C${f(mx - 260)} ${f(c1)} ${f(mx - 480)} ${f(c2)} -40 ${f(ey)}" stroke-width="${i % 5 === 0 ? 1.8 : 1}" opacity="${f((0.25 + 0.6 * Math.sin(t * Math.PI)) * 100) / 100}"/>`;
  }
  const dust = Array.from(
    { length: 70 },
    () =>
      `<circle cx="${f(r() * w)}" cy="${f(r() * h * 0.8)}" r="${f(0.5 + r() * 1.1)}" opacity="${f((0.15 + r() * 0.5) * 100) / 100}"/>`,
  ).join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${h}" preserveAspectRatio="xMidYMid slice"><defs>${lin(
    'bg',
    [
      [0, '#141012'],
      [0.34, '#21131A'],
      [0.62, p.deep],
      [1, p.low],
    ],
    0,
    0,
    1,
    0.25,
  )}${lin('disc', [
    [0, '#FFE9D6'],
    [0.45, '#FBC49E'],
    [1, '#E2757A'],
  ])}${rad('halo', [
    [0, '#F7A48A', 0.62],
    [0.45, p.mid, 0.3],
    [1, p.mid, 0],
  ])}${lin(
    'face',
    [
      [0, '#160B11'],
      [0.5, '#220F19'],
      [0.72, p.deep],
      [0.9, p.low],
    ],
    0,
    0.2,
    1,
    0,
  )}${lin(
    'hair',
    [
      [0, p.deep],
      [0.5, '#170C12'],
      [1, '#120A0E'],
    ],
    0,
    0,
    0.6,
    1,
  )}${lin('rim', [
    [0, '#FFE3CB'],
    [0.6, '#F2A183'],
    [1, p.mid],
  ])}<linearGradient id="ln" gradientUnits="userSpaceOnUse" x1="${f(mx)}" y1="0" x2="60" y2="0"><stop offset="0" stop-color="#FFE3CB" stop-opacity="0"/><stop offset=".07" stop-color="#FFE3CB" stop-opacity=".5"/><stop offset=".3" stop-color="#F5B48C" stop-opacity=".62"/><stop offset=".62" stop-color="#F5B48C" stop-opacity=".2"/><stop offset="1" stop-color="#F5B48C" stop-opacity="0"/></linearGradient><path id="s" d="${BUST}"/><path id="h" d="${HAIR[hair]}"/><mask id="m"><use href="#s" fill="#fff"/></mask><mask id="n"><use href="#h" fill="#fff"/></mask><filter id="b" color-interpolation-filters="sRGB" x="-10%" y="-10%" width="120%" height="120%"><feGaussianBlur stdDeviation="5"/></filter>${grain(w, h, 7, 0.2).replace(/<filter id="gr".*?<\/filter>/, '')}</defs><rect width="${w}" height="${h}" fill="url(#bg)"/><g fill="#FFE9D6">${dust}</g><circle cx="1085" cy="424" r="560" fill="url(#halo)"/><circle cx="1085" cy="424" r="252" fill="url(#disc)"/><g fill="none" stroke="url(#ln)">${lines}</g><g transform="translate(${tx} ${ty}) scale(${-k} ${k})"><g mask="url(#m)"><rect x="-50" width="700" height="760" fill="url(#rim)"/><use href="#s" fill="url(#face)" transform="translate(-6 4)" filter="url(#b)"/></g><g mask="url(#n)"><rect x="-50" width="700" height="760" fill="#F2A183"/><use href="#h" fill="url(#hair)" transform="translate(-4 5)" filter="url(#b)"/>${strands(p)}</g>${ear(hair, p)}</g><rect width="${w}" height="${h}" filter="url(#gr2)" style="mix-blend-mode:soft-light"/></svg>`;
}
