import type { ComponentProps } from 'preact';
import { useState } from 'preact/hooks';
import { Labelled } from '../parts/form.tsx';
import { maxPerPage } from '../shared/paging.ts';
import { useCall } from '../shared/use-call.ts';
import { CodeEditor } from './code-editor.tsx';
import { partWords, wordPath } from './draft.ts';
import type { TypedTemplate } from './typed-template.ts';

export const fieldId = (path: string): string => `template-${path}`;

type PartProps = Omit<ComponentProps<typeof Labelled>, 'id' | 'path' | 'label'> & {
  path: string;
  label?: string;
};

const Part = ({ path, label = partWords(path), ...rest }: PartProps) => (
  <Labelled id={fieldId(path)} path={path} label={label} {...rest} />
);

/** Names and other options are set once; a new template needs a name first. */
export function SettingFields({ typed }: { typed: TypedTemplate }) {
  const [isNew] = useState(typed.stored === undefined);
  const isLayout = typed.kind === 'layout';
  return (
    <details class="card" open={isNew}>
      <summary>
        <b>Settings</b> <span class="quiet">{isLayout ? 'Name and alias' : settingWords}</span>
      </summary>
      <div class="settings-of-template">
        <Line typed={typed} path="name" isRequired />
        <Line typed={typed} path="alias" hint="What your code calls it, such as password-reset" />
        {!isLayout && (
          <>
            <LayoutChoice typed={typed} />
            <Line typed={typed} path="from" hint="Used unless the email names a sender" />
            <Line typed={typed} path="replyTo" hint="Addresses, separated by commas" />
          </>
        )}
      </div>
    </details>
  );
}

const settingWords = 'Name, alias, layout, From and Reply-To';

/** In the chosen language. */
export function WordFields({ typed }: { typed: TypedTemplate }) {
  const { language, kind } = typed;
  const html = wordPath('htmlContent', language);
  const text = wordPath('content', language);
  return (
    <>
      {kind !== 'layout' && (
        <Line
          typed={typed}
          path={wordPath('subject', language)}
          label={partWords('subject')}
          isRequired
        />
      )}
      <Part
        path={html}
        label={partWords('htmlContent')}
        hint={
          typed.isWritable
            ? 'While you type, Tab indents. To go on to the next field, press Esc, then Tab.'
            : undefined
        }
      >
        {({ id, 'aria-describedby': describedBy, 'aria-invalid': isInvalid = false }) => (
          <CodeEditor
            key={html}
            id={id}
            text={typed.draft[html] ?? ''}
            onText={(words) => typed.write(html, words)}
            describedBy={describedBy}
            isInvalid={isInvalid}
            isReadOnly={!typed.isWritable}
          />
        )}
      </Part>
      <Part
        path={text}
        label={partWords('content')}
        hint={typed.isWritable ? 'Optional. Leave empty to generate it from the HTML.' : undefined}
      >
        {(control) => (
          <textarea
            {...control}
            class="code"
            rows={6}
            readOnly={!typed.isWritable}
            value={typed.draft[text] ?? ''}
            spellcheck={false}
            autocomplete="off"
            onInput={({ currentTarget }) => typed.write(text, currentTarget.value)}
          />
        )}
      </Part>
    </>
  );
}

function Line({
  typed: { draft, write, isWritable },
  path,
  isRequired = false,
  ...words
}: {
  typed: TypedTemplate;
  path: string;
  label?: string;
  hint?: string;
  isRequired?: boolean;
}) {
  return (
    <Part path={path} {...words}>
      {(control) => (
        <input
          {...control}
          type="text"
          value={draft[path] ?? ''}
          required={isRequired}
          readOnly={!isWritable}
          autocomplete="off"
          dir="auto"
          onInput={({ currentTarget }) => write(path, currentTarget.value)}
        />
      )}
    </Part>
  );
}

const layoutPath = 'layout';

/** The layouts among the newest templates. An older one stays chosen, and shows its id. */
function LayoutChoice({ typed: { draft, write, isWritable } }: { typed: TypedTemplate }) {
  const templates = useCall('GET /api/v1/templates', { query: { limit: maxPerPage } });
  const layouts = (templates.value?.data ?? []).filter(({ kind }) => kind === 'layout');
  const chosen = draft[layoutPath] ?? '';
  const isListed = chosen === '' || layouts.some(({ id }) => id === chosen);
  return (
    <Part path={layoutPath} hint="Wraps the HTML and the text">
      {(control) => (
        <select
          {...control}
          value={chosen}
          disabled={!isWritable}
          onChange={({ currentTarget }) => write(layoutPath, currentTarget.value)}
        >
          <option value="">None</option>
          {!isListed && <option value={chosen}>{chosen}</option>}
          {layouts.map(({ id, name, publishedVersion }) => (
            <option key={id} value={id} disabled={publishedVersion === undefined && id !== chosen}>
              {name}
              {publishedVersion === undefined && ' (not published yet)'}
            </option>
          ))}
        </select>
      )}
    </Part>
  );
}

/** Values for the preview and for tests, as JSON. */
export const SampleField = ({ typed: { variables, change } }: { typed: TypedTemplate }) => (
  <Part
    path="sample"
    label="Sample variables"
    hint="JSON, for the preview and the test. Not saved."
  >
    {(control) => (
      <textarea
        {...control}
        class="code"
        rows={8}
        value={variables}
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
        onInput={({ currentTarget }) => change({ variables: currentTarget.value })}
      />
    )}
  </Part>
);
