import { useRef, useState } from 'preact/hooks';

/** A text field whose content its button or Enter adds to a list. */
export function NameToAdd({
  id,
  label,
  placeholder,
  button,
  add,
}: {
  id: string;
  label: string;
  placeholder: string;
  button: string;
  /** @returns what's wrong with the text, if it can't be added. */
  add: (text: string) => string | undefined;
}) {
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const faultId = `${id}-to-add-fault`;
  const submit = () => {
    const wrong = add(text.trim());
    setFault(wrong);
    if (wrong === undefined) setText('');
    else input.current?.focus();
  };
  return (
    <div class="add">
      <input
        ref={input}
        id={id}
        type="text"
        aria-label={label}
        aria-invalid={fault === undefined ? undefined : true}
        aria-describedby={fault && faultId}
        placeholder={placeholder}
        size={Math.max(8, placeholder.length)}
        value={text}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          submit();
        }}
      />
      <button type="button" onClick={submit}>
        {button}
      </button>
      {fault && (
        <span id={faultId} class="fault">
          {fault}
        </span>
      )}
    </div>
  );
}
