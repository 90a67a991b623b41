import type { ComponentChildren } from 'preact';
import { Glyph } from './glyph.tsx';
import { useMenu } from './menu.ts';

/** Rarer actions, behind one button. Its buttons stay mounted, as their dialogs are inside. */
export function More({ children }: { children: ComponentChildren }) {
  const { isOpen, setOpen, element, id } = useMenu<HTMLDivElement>();
  return (
    <div class="more" ref={element}>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label="More"
        class="square"
        onClick={() => setOpen(!isOpen)}
      >
        <Glyph of="dots" />
      </button>
      <div id={id} class="items" hidden={!isOpen}>
        {children}
      </div>
    </div>
  );
}
