import { useEffect, useState } from 'preact/hooks';

let say = (_text: string) => {};

/** Tells screen readers what has changed. */
export const announce = (text: string) => say(text);

/** The page's one live region. It must exist before it has something to say. */
export function Announcer() {
  const [text, setText] = useState('');
  useEffect(() => {
    say = setText;
  }, []);
  return (
    <div class="visually-hidden" role="status">
      {text}
    </div>
  );
}
