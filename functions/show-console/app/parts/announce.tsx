import { useEffect, useState } from 'preact/hooks';

type Said = { readonly text: string; readonly isShown: boolean; readonly turn: number };

const shownMs = 4_000;

let say = (_said: Said) => {};
let turn = 0;

/** For screen readers only. */
export const announce = (text: string) => say({ text, isShown: false, turn: turn++ });

/** For everyone, shown for a few seconds. */
export const toast = (text: string) => say({ text, isShown: true, turn: turn++ });

/** The page's one live region. It must exist before it has something to say. */
export function Announcer() {
  const [said, setSaid] = useState<Said>({ text: '', isShown: false, turn });
  const { text, isShown } = said;
  useEffect(() => {
    say = setSaid;
  }, []);
  useEffect(() => {
    if (!isShown) return;
    const timer = setTimeout(() => setSaid({ ...said, isShown: false }), shownMs);
    return () => clearTimeout(timer);
  }, [said, isShown]);
  return (
    <div class={isShown ? 'toast' : 'visually-hidden'} role="status">
      {/* The same text again is read only if it's a new element. */}
      <span key={said.turn}>{text}</span>
    </div>
  );
}
