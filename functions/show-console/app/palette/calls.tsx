import { useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { CopyButton } from '../parts/text.tsx';
import { asCurl, asScript, callsMade } from '../shared/calls-made.ts';

const forms = { curl: asCurl, JavaScript: asScript };
const names = ['curl', 'JavaScript'] as const;

/** What the page has asked, to ask the same from a program. The key is a placeholder: the console never has one. */
export function Calls({ onClosed }: { onClosed: () => void }) {
  // As of now: what's asked while the dialog is open is the same again.
  const [calls] = useState(callsMade);
  const [form, setForm] = useState<(typeof names)[number]>('curl');
  return (
    <Dialog title="This page from the API" look="wide" onClosed={onClosed}>
      <div class="tabs" role="tablist" aria-label="Form">
        {names.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            aria-selected={name === form}
            onClick={() => setForm(name)}
          >
            {name}
          </button>
        ))}
      </div>
      {calls.length === 0 && <p>This page asked the API for nothing.</p>}
      {calls.map((made) => {
        const text = forms[form](made, location.origin);
        return (
          <div key={text}>
            <p class="section">
              <code>{made.route}</code>{' '}
              <CopyButton text={text} what={`the call of ${made.route}`} />
            </p>
            <pre class="payload">{text}</pre>
          </div>
        );
      })}
      <p class="quiet">
        Set <code>EMAIL_API_KEY</code> to a key with the scope that the{' '}
        <a href="/docs" target="_blank" rel="noreferrer">
          docs
        </a>{' '}
        name.
      </p>
    </Dialog>
  );
}
