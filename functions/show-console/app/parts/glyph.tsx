import { type GlyphName, shapes } from '../shared/glyphs.ts';

/**
 * Says with words what happened, or leads to a page: `<Glyph of="mail" />`, 16 px in the colour of its text. One sprite
 * has them all: a new one is a line of `shapes`.
 */
export const Glyph = ({ of, label }: { of: GlyphName; label?: string }) => (
  <svg class="glyph" role={label ? 'img' : undefined} aria-label={label} aria-hidden={!label}>
    <use href={`#glyph-${of}`} />
  </svg>
);

/** Once in the page. */
export const Glyphs = () => (
  <svg class="glyphs" aria-hidden="true">
    {Object.entries(shapes).map(([name, path]) => {
      const isDisc = path.startsWith('!');
      return (
        <symbol key={name} id={`glyph-${name}`} viewBox="0 0 16 16">
          {isDisc && <circle cx="8" cy="8" r="7" class="disc" />}
          <path d={isDisc ? path.slice(1) : path} class={isDisc ? 'ondisc' : undefined} />
        </symbol>
      );
    })}
  </svg>
);
