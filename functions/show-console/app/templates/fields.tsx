import { Labelled } from '../shared/form.tsx';
import { partWords, type TemplatePart } from './draft.ts';
import type { TypedTemplate } from './typed-template.ts';

/** The element id of a part's field. */
export const fieldId = (part: string): string => `template-${part}`;

export function TemplateFields({ typed }: { typed: TypedTemplate }) {
  const { stored, draft, variables, change } = typed;
  const set = (part: TemplatePart) => (text: string) =>
    change({ draft: { ...draft, [part]: text } });
  return (
    <>
      <Line part="name" text={draft.name} onText={set('name')} isRequired />
      <Line
        part="alias"
        text={draft.alias}
        onText={set('alias')}
        hint="Optional. Its name for programs, such as password-reset."
      />
      {stored?.kind !== 'layout' && (
        <Line part="subject" text={draft.subject} onText={set('subject')} isRequired />
      )}
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
        hint="Optional. If empty, it’s made from the HTML."
        text={draft.content}
        onText={set('content')}
        rows={6}
      />
      <Area
        id={fieldId('variables')}
        label="Sample variables"
        hint="JSON, for the preview and the test. Not saved."
        text={variables}
        onText={(text) => change({ variables: text })}
        rows={8}
      />
    </>
  );
}

type FieldProps = { readonly text: string; readonly onText: (text: string) => void };

type LineProps = FieldProps & {
  part: 'name' | 'alias' | 'subject';
  hint?: string;
  isRequired?: boolean;
};

const Line = ({ part, text, onText, hint, isRequired = false }: LineProps) => (
  <Labelled id={fieldId(part)} label={partWords[part]} hint={hint}>
    {(control) => (
      <input
        {...control}
        type="text"
        value={text}
        required={isRequired}
        autocomplete="off"
        dir="auto"
        onInput={(event) => onText(event.currentTarget.value)}
      />
    )}
  </Labelled>
);

const Area = ({
  text,
  onText,
  rows,
  ...labels
}: FieldProps & { id: string; label: string; hint?: string; rows: number }) => (
  <Labelled {...labels}>
    {(control) => (
      <textarea
        {...control}
        class="code"
        rows={rows}
        value={text}
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
        onInput={(event) => onText(event.currentTarget.value)}
      />
    )}
  </Labelled>
);
