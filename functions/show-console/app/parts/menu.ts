import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

/**
 * What opens below a button, its first one. Esc, a click elsewhere or closing a dialog closes it.
 *
 * @template Box around both
 */
export function useMenu<Box extends HTMLElement>() {
  const [isOpen, setOpen] = useState(false);
  const element = useRef<Box>(null);
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
  return { isOpen, setOpen, element, id };
}
