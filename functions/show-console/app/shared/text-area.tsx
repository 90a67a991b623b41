import { useId } from 'preact/hooks';

/** A field of several lines. */
export function TextArea({
  label,
  name,
  value = '',
  hint,
  rows = 4,
  isReadOnly = false,
}: {
  label: string;
  name?: string;
  value?: string | undefined;
  hint?: string;
  rows?: number;
  isReadOnly?: boolean;
}) {
  const id = useId();
  return (
    <p class="field">
      <label for={id}>{label}</label>
      <textarea
        class="lines"
        id={id}
        name={name}
        rows={rows}
        defaultValue={value}
        readOnly={isReadOnly}
        aria-describedby={hint ? `${id}-hint` : undefined}
      />
      {hint && (
        <small id={`${id}-hint`} class="quiet">
          {hint}
        </small>
      )}
    </p>
  );
}
