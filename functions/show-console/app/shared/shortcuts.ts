import { useLayoutEffect, useState } from 'preact/hooks';

/** A single key without Ctrl or Alt: people who dictate, or whose hands shake, can turn it off (WCAG 2.1.4). */
const storedAs = 'console-shortcuts';

export function hasShortcuts(): boolean {
  try {
    return localStorage.getItem(storedAs) !== 'off';
  } catch {
    // The browser stores nothing for this site.
    return true;
  }
}

export function setShortcuts(isOn: boolean): void {
  try {
    localStorage.setItem(storedAs, isOn ? 'on' : 'off');
  } catch {
    // Then it applies until the page is left.
  }
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement ||
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement;

/** While a page with a list is open, `/` runs `act`, unless a field or dialog has the focus. */
export function useSlash(act: () => void): boolean {
  const [isOn] = useState(hasShortcuts);
  useLayoutEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      if (key !== '/' || ctrlKey || metaKey || altKey || isTyping(target)) return;
      if (document.querySelector('dialog[open]')) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isOn, act]);
  return isOn;
}
