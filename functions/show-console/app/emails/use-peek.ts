import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { loadPages } from '../load-pages.ts';
import type { ChosenBy } from '../parts/table.tsx';
import { emailPage } from '../shared/addresses.ts';
import { isPlainKey } from '../shared/shortcuts.ts';
import type { PeekProps } from './peek.tsx';

/** A list and an email fit side by side. */
const isWide = (): boolean => matchMedia('(width >= 73.75rem)').matches;

/**
 * The email that's shown beside the list. Space and a click show a row's there, and walking on shows the next. Esc and
 * a second Space hide it until one is asked for again; a second click opens its page.
 */
export function usePeek() {
  const { route } = useLocation();
  const [id, setId] = useState<string>();
  const clicked = useRef<string | undefined>(undefined);
  const [isOff, setOff] = useState(false);
  // A component, so a function gives it.
  const [Peek, setPeek] = useState<ComponentType<PeekProps>>();
  useEffect(() => {
    // Ahead, as someone who sees the list is likely to open an email. If that fails, the router shows it.
    loadPages().then(
      (pages) => setPeek(() => pages.Peek),
      () => {},
    );
  }, []);
  const close = () => {
    setId(undefined);
    setOff(true);
  };
  useEffect(() => {
    if (id === undefined) return;
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && isPlainKey(event) && close();
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [id]);

  useEffect(() => {
    // The first click of a double click makes room for the email, so the second may meet anything.
    const openTwice = (event: MouseEvent) => {
      const twice = event.detail === 2 ? clicked.current : undefined;
      clicked.current = undefined;
      if (twice === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      route(emailPage(twice));
    };
    document.addEventListener('click', openTwice, true);
    return () => document.removeEventListener('click', openTwice, true);
  }, [route]);

  /** @returns whether it has been dealt with; if not, the row's link opens its page. */
  const choose = (chosen: string, by: ChosenBy): boolean => {
    if (Peek === undefined || !isWide() || (by === 'walk' && isOff)) return false;
    if (by === 'click' && chosen === id) return false;
    if (by === 'space' && chosen === id) close();
    else {
      setOff(false);
      setId(chosen);
    }
    if (by === 'click') clicked.current = chosen;
    return true;
  };
  return { id, Peek, choose, close };
}
