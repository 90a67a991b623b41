import type { ComponentChildren } from 'preact';
import { CopyButton, Foreign } from './text.tsx';

/** One line of a `<dl>`. */
export const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);

/** On one line, with a button to copy it. */
export const IdFact = ({ name, text, what }: { name: string; text: string; what: string }) => (
  <Fact name={name}>
    <span class="copyable cut">
      <code>
        <Foreign text={text} most={300} />
      </code>{' '}
      <CopyButton text={text} what={what} look="copy" />
    </span>
  </Fact>
);
