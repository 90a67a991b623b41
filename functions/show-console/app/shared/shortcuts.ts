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

/** Of a page, not of somebody who types or of a dialog above it. */
export const isPlainKey = ({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean =>
  !(ctrlKey || metaKey || altKey || isTyping(target)) && !document.querySelector('dialog[open]');

/**
 * While this part of a page is open, a single key runs `act`, unless a field or dialog has the focus.
 *
 * @returns whether single keys are on.
 */
export function useSingleKey(key: string, act: () => void): boolean {
  const [isOn] = useState(hasShortcuts);
  useLayoutEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== key || !isPlainKey(event)) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isOn, key, act]);
  return isOn;
}

/** As on the reader's keyboard. */
export const commandKey = /Mac|iP/.test(navigator.platform) ? '⌘' : 'Ctrl';

/** Works while one types, and can't be turned off, as it needs a second key. */
export function useCommandK(act: () => void): void {
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      if (key.toLowerCase() !== 'k' || ctrlKey === metaKey || altKey) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [act]);
}
