import { useId } from 'preact/hooks';
import { count } from '../format.ts';
import { partWords, type TemplatePart } from '../template-draft.ts';
import { sampleOf, withMissing } from '../template-sample.ts';
import { asJson, type TypedTemplate, textsOf } from '../typed-template.ts';
import { announce } from './announce.tsx';
import { Foreign } from './text.tsx';

/** The id of the field in which a part is typed. */
export const fieldId = (part: string): string => `template-${part}`;

export function TemplateFields({
  typed,
  missing,
}: {
  typed: TypedTemplate;
  missing: readonly string[];
}) {
  const { draft, variables, change } = typed;
  const set = (part: TemplatePart) => (text: string) =>
    change({ draft: { ...draft, [part]: text } });
  return (
    <>
      <Line part="name" text={draft.name} onText={set('name')} />
      <Line part="subject" text={draft.subject} onText={set('subject')} />
      <Area
        id={fieldId('htmlContent')}
        label={partWords.htmlContent}
        text={draft.htmlContent}
        onText={set('htmlContent')}
        rows={18}
      />
      <Area
        id={fieldId('content')}
        label={partWords.content}
        hint="Optional: without it, the text of the HTML is sent beside it."
        text={draft.content}
        onText={set('content')}
        rows={6}
      />
      <Area
        id={fieldId('variables')}
        label="Sample variables"
        hint="JSON, for the preview and the test. It is not saved."
        text={variables}
        onText={(text) => change({ variables: text })}
        rows={6}
      />
      <Missing typed={typed} missing={missing} />
    </>
  );
}

type FieldProps = { readonly text: string; readonly onText: (text: string) => void };

const Line = ({ part, text, onText }: FieldProps & { part: 'name' | 'subject' }) => (
  <p class="field">
    <label for={fieldId(part)}>{partWords[part]}</label>
    <input
      id={fieldId(part)}
      type="text"
      value={text}
      required
      autocomplete="off"
      dir="auto"
      onInput={(event) => onText(event.currentTarget.value)}
    />
  </p>
);

function Area({
  id,
  label,
  hint,
  text,
  onText,
  rows,
}: FieldProps & { id: string; label: string; hint?: string; rows: number }) {
  const hintId = useId();
  return (
    <p class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        class="code"
        rows={rows}
        value={text}
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
        aria-describedby={hint && hintId}
        onInput={(event) => onText(event.currentTarget.value)}
      />
      {hint && (
        <small id={hintId} class="quiet">
          {hint}
        </small>
      )}
    </p>
  );
}

function Missing({ typed, missing }: { typed: TypedTemplate; missing: readonly string[] }) {
  if (missing.length === 0) return null;
  const { draft, variables, change } = typed;
  const add = () => {
    const sample = sampleOf(textsOf(draft));
    change({ variables: asJson(withMissing(valuesIn(variables), sample)) });
    announce('The sample variables are complete');
  };
  return (
    <div class="notice warn">
      <p>
        {count(missing.length, 'variable has', 'variables have')} no value, and nothing stands in
        its place: <Foreign text={missing.join(', ')} most={400} />
      </p>
      <p>
        <button type="button" class="small" onClick={add}>
          Add to the sample
        </button>
      </p>
    </div>
  );
}

/** What cannot be read holds nothing that could be kept. */
function valuesIn(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}
