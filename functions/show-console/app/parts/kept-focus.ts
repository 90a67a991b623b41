import { useEffect } from 'preact/hooks';

/** Of the dialog on top, or else of the page. */
const title = (): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>('h1, dialog[open] h2[tabindex]')].at(-1);

/**
 * Moves the focus to the title when the focused element is removed, such as the button that deleted its own row. The
 * browser would start again at the top of the document.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let focused: EventTarget | null = null;
    const note = ({ target }: Event) => {
      focused = target;
    };
    // Someone may also leave an element for no other. Browsers report removals too, but then the observer runs first.
    const forget = ({ target }: Event) =>
      setTimeout(() => {
        if (focused === target && document.activeElement !== target) focused = null;
      });
    const observer = new MutationObserver(() => {
      const isLost = focused instanceof Element && !focused.isConnected;
      if (!isLost || document.activeElement !== document.body) return;
      focused = null;
      title()?.focus({ preventScroll: true });
    });
    observer.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('focusin', note);
    document.addEventListener('focusout', forget);
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', note);
      document.removeEventListener('focusout', forget);
    };
  }, []);
}
