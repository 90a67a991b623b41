import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

/**
 * Rarer actions, behind one button. Esc, a click elsewhere or closing a dialog closes the menu. Its buttons stay
 * mounted, as their dialogs are inside.
 */
export function More({ children }: { children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  const element = useRef<HTMLDivElement>(null);
  const id = useId();
  // Before the open menu is painted, so that an early Esc closes it too.
  useLayoutEffect(() => {
    const box = element.current;
    if (!isOpen || !box) return;
    const close = () => {
      setOpen(false);
      box.querySelector('button')?.focus();
    };
    const closeByKey = ({ key }: KeyboardEvent) => {
      // If a dialog is open, Esc closes that first.
      if (key === 'Escape' && !box.querySelector('dialog')) close();
    };
    const closeElsewhere = ({ target }: Event) => {
      if (target instanceof Node && !box.contains(target)) setOpen(false);
    };
    // A dialog's `close` event doesn't bubble.
    box.addEventListener('close', close, true);
    document.addEventListener('keydown', closeByKey);
    document.addEventListener('pointerdown', closeElsewhere);
    document.addEventListener('focusin', closeElsewhere);
    return () => {
      box.removeEventListener('close', close, true);
      document.removeEventListener('keydown', closeByKey);
      document.removeEventListener('pointerdown', closeElsewhere);
      document.removeEventListener('focusin', closeElsewhere);
    };
  }, [isOpen]);
  return (
    <div class="more" ref={element}>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        More
      </button>
      <div id={id} class="items" hidden={!isOpen}>
        {children}
      </div>
    </div>
  );
}
