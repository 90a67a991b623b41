import type { Tone } from './words.ts';

const ring = 'M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 1 1 8 1.8z';

/** On a filled disc, if it begins with `!`: what went wrong is louder than what went well. */
export const shapes = {
  ok: `${ring}m-2.7 6.4 1.9 1.9 3.5-4`,
  wait: `${ring}m0 3V8l2.2 1.6`,
  stop: `${ring}M3.7 12.3l8.6-8.6`,
  sent: `${ring}M8 11V5.4M5.6 7.6 8 5.2l2.4 2.4`,
  globe: `${ring}M1.8 8h12.4M8 1.8c2 2 2.6 4 2.6 6.2S10 12.2 8 14.2C6 12.2 5.4 10.2 5.4 8S6 3.8 8 1.8`,
  x: '!m5.7 5.7 4.6 4.6m0-4.6-4.6 4.6',
  flag: '!M8 4.6v4M8 11.3v.01',
  open: 'M1.8 8S4 3.8 8 3.8 14.2 8 14.2 8 12 12.2 8 12.2 1.8 8 1.8 8zM8 6.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 1 1 0-3.6z',
  click: 'm3 3 4 10 1.6-4.4L13 7z',
  find: 'M7 2.4a4.6 4.6 0 1 1 0 9.2 4.6 4.6 0 1 1 0-9.2zm3.5 8.1 3.5 3.5',
  plus: 'M8 3v10M3 8h10',
  cross: 'm4 4 8 8m0-8-8 8',
  copy: 'M6 5.5h7v8H6zM10 5.5v-3H3v8h3',
  dots: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  menu: 'M2.5 5h11M2.5 11h11',
  chevron: 'm4 6 4 4 4-4',
  home: 'M2.5 13.5v-5m3.7 5V3m3.6 10.5v-7m3.7 7v-3',
  mail: 'M3.4 3.2h9.2a1.6 1.6 0 0 1 1.6 1.6v6.4a1.6 1.6 0 0 1-1.6 1.6H3.4a1.6 1.6 0 0 1-1.6-1.6V4.8a1.6 1.6 0 0 1 1.6-1.6zM2.2 4.6 8 8.8l5.8-4.2',
  doc: 'M4 1.8h5L12.2 5v9.2H4zM9 1.8V5h3.2M6 8.4h4M6 11h4',
  people:
    'M6 2.8A2.6 2.6 0 1 1 6 8a2.6 2.6 0 1 1 0-5.2zM1.6 13.4c.3-2.6 2-4 4.4-4s4.1 1.4 4.4 4M10.6 3a2.5 2.5 0 0 1 0 4.8m1.2 1.9c1.5.5 2.4 1.8 2.6 3.7',
  hook: 'M6 4.4a2.6 2.6 0 1 1 3.6 3.4l1.8 3.2M8 5.4l-3 5.2m.2.8h6.2M3.8 9.9a1.5 1.5 0 1 1 0 3 1.5 1.5 0 1 1 0-3zm8.6.2a1.3 1.3 0 1 1 0 2.6 1.3 1.3 0 1 1 0-2.6z',
  key: 'M5.2 7.8a3 3 0 1 1 0 6 3 3 0 1 1 0-6zm2.2.8 6-6M11 5l2 2',
  back: 'M13.5 12.5V10a3.2 3.2 0 0 0-3.2-3.2H2.8m3.4-3.4L2.8 6.8l3.4 3.4',
  gear: 'M2 4.5h7m3 0h2M2 11.5h2m3 0h7M10.5 2.9a1.6 1.6 0 1 1 0 3.2 1.6 1.6 0 1 1 0-3.2zm-5 7a1.6 1.6 0 1 1 0 3.2 1.6 1.6 0 1 1 0-3.2z',
  meter: 'M2.5 12.5a6.2 6.2 0 1 1 11 0M8 9.5 10.5 6',
  person: 'M8 2.4A2.8 2.8 0 1 1 8 8a2.8 2.8 0 1 1 0-5.6zM2.6 13.8c.4-2.7 2.4-4 5.4-4s5 1.3 5.4 4',
} as const;

export type GlyphName = keyof typeof shapes;

/** Where nothing more exact is known. */
export const glyphOfTone = {
  good: 'ok',
  bad: 'x',
  warn: 'flag',
  quiet: 'stop',
  info: 'sent',
  person: 'open',
} as const satisfies Record<Tone, GlyphName>;
