import { useEffect, useState } from 'preact/hooks';

type Said = { readonly text: string; readonly isShown: boolean };

const shownMs = 4_000;

let say = (_said: Said) => {};

/** For screen readers only. */
export const announce = (text: string) => say({ text, isShown: false });

/** For everyone, shown for a few seconds. */
export const toast = (text: string) => say({ text, isShown: true });

/** The page's one live region. It must exist before it has something to say. */
export function Announcer() {
  const [{ text, isShown }, setSaid] = useState<Said>({ text: '', isShown: false });
  useEffect(() => {
    say = setSaid;
  }, []);
  useEffect(() => {
    if (!isShown) return;
    const timer = setTimeout(() => setSaid({ text, isShown: false }), shownMs);
    return () => clearTimeout(timer);
  }, [text, isShown]);
  return (
    <div class={isShown ? 'toast' : 'visually-hidden'} role="status">
      {text}
    </div>
  );
}
