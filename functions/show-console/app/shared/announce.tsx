import { useEffect, useState } from 'preact/hooks';

let tell = (_text: string) => {};

/** Says something to who cannot see that the page has changed. */
export const announce = (text: string) => tell(text);

/** The one live region of the page: it must stand there before it has something to say. */
export function Announcer() {
  const [text, setText] = useState('');
  useEffect(() => {
    tell = setText;
  }, []);
  return (
    <div class="visually-hidden" role="status">
      {text}
    </div>
  );
}
