import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

type Shown = { readonly text: string; readonly by: DOMRect };

/** The moment under the pointer, finger or focus; of a focused row, its own. */
function momentAt({ target, type }: Event): HTMLElement | null {
  if (!(target instanceof Element)) return null;
  // What's beside the list says it, too.
  const isOfRow = type === 'focusin' && target.matches('.row-link') && !target.closest('.split');
  const row = isOfRow ? target.closest('tr') : null;
  return row ? row.querySelector('time[data-exact]') : target.closest('time[data-exact]');
}

/** Shows a moment's exact time beside it. Esc and scrolling hide it. */
export function Tip() {
  const element = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<Shown>();
  useEffect(() => {
    const show = (event: Event) => {
      const moment = momentAt(event);
      const text = moment?.dataset['exact'];
      setShown(moment && text ? { text, by: moment.getBoundingClientRect() } : undefined);
    };
    const hide = () => setShown(undefined);
    const hideByKey = ({ key }: KeyboardEvent) => key === 'Escape' && hide();
    document.addEventListener('pointerover', show);
    document.addEventListener('focusin', show);
    document.addEventListener('focusout', hide);
    document.addEventListener('keydown', hideByKey);
    document.addEventListener('scroll', hide, { passive: true });
    return () => {
      document.removeEventListener('pointerover', show);
      document.removeEventListener('focusin', show);
      document.removeEventListener('focusout', hide);
      document.removeEventListener('keydown', hideByKey);
      document.removeEventListener('scroll', hide);
    };
  }, []);
  useLayoutEffect(() => {
    const tip = element.current;
    if (!shown || !tip) return;
    const { width, height } = tip.getBoundingClientRect();
    const { left, right, top, bottom } = shown.by;
    const x = Math.max(8, Math.min((left + right - width) / 2, innerWidth - width - 8));
    const y = top > height + 8 ? top - height - 4 : bottom + 4;
    tip.style.translate = `${x}px ${y}px`;
  }, [shown]);
  if (!shown) return null;
  return (
    <div class="tip" role="tooltip" ref={element}>
      {shown.text}
    </div>
  );
}
