import { useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { ApiFailure, call } from '../api-client.ts';
import { announce } from '../shared/announce.tsx';
import { ConfirmButton } from '../shared/buttons.tsx';
import { Failure } from '../shared/states.tsx';
import { CopyButton, Foreign, Moment } from '../shared/text.tsx';
import { useAction } from '../shared/use-call.ts';
import { TemplateConflict } from './conflict.tsx';
import {
  changesOf,
  draftOf,
  draftUpon,
  newTemplateOf,
  type Template,
  type TemplateDraft,
} from './draft.ts';
import { TemplateFields } from './fields.tsx';
import { TemplatePreview } from './preview.tsx';
import { SendTest } from './send-test.tsx';
import { type TypedTemplate, useTypedTemplate } from './typed-template.ts';
import { usePreview } from './use-preview.ts';

/** The editor, beside a preview of the email. */
export function TemplateEditor({ template }: { template?: Template }) {
  const typed = useTypedTemplate(template);
  const { stored, draft, variables, change } = typed;
  const { subject, htmlContent, content } = draft;
  const input = { subject, htmlContent, content, variables };
  const shown = usePreview(input);
  // The draft at the moment a newer version turned up.
  const [mine, setMine] = useState<TemplateDraft>();
  return (
    <>
      {mine && stored && (
        <TemplateConflict stored={stored} draft={draft} mine={mine} change={change} />
      )}
      <div class="editor">
        <Form typed={typed} hasConflict={mine !== undefined} setMine={setMine} />
        <TemplatePreview shown={shown} typed={typed} />
        <div class="beside">
          <SendTest input={input} />
          {stored && <About stored={stored} forget={typed.forget} />}
        </div>
      </div>
    </>
  );
}

function Form({
  typed,
  hasConflict,
  setMine,
}: {
  typed: TypedTemplate;
  hasConflict: boolean;
  setMine: (mine: TemplateDraft | undefined) => void;
}) {
  const { route } = useLocation();
  const { stored, draft, isChanged, change, forget } = typed;
  // People may keep typing while it's being saved.
  const latest = useRef(draft);
  latest.current = draft;
  const saving = useAction(async () => {
    if (!stored) {
      const made = await call('POST /api/v1/templates', { body: newTemplateOf(draft) });
      forget();
      announce('Template saved');
      route(addressOf(made), true);
      return;
    }
    const { stored: newer, isConflict } = await save(stored, draft);
    const isSame = latest.current === draft;
    if (!isConflict) {
      change({ stored: newer, ...(isSame && { draft: draftOf(newer) }) });
      setMine(undefined);
      announce(`Version ${newer.version} saved`);
      return;
    }
    const mine = draftUpon(newer, stored, latest.current);
    change({ stored: newer, draft: mine });
    setMine(mine);
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        saving.run();
      }}
    >
      <TemplateFields typed={typed} />
      {saving.failure && <Failure failure={saving.failure} />}
      <p class="buttons">
        <button type="submit" class="main" aria-disabled={saving.isRunning}>
          {saving.isRunning ? 'Saving…' : saveWords(stored, isChanged && hasConflict)}
        </button>
        <span class="quiet">{isChanged ? 'Not saved yet' : stored && <Saved {...stored} />}</span>
      </p>
    </form>
  );
}

const addressOf = ({ id }: Template): string => `/console/templates/${encodeURIComponent(id)}`;

const saveWords = (stored: Template | undefined, overwrites: boolean): string =>
  stored && overwrites ? `Overwrite version ${stored.version}` : 'Save';

const Saved = ({ version, updatedAt }: Template) => (
  <>
    Version {version}, saved <Moment at={updatedAt} />
  </>
);

type Saving = { readonly stored: Template; readonly isConflict: boolean };

/** Saves over the version that the person has seen. If there's a newer one, returns that instead. */
async function save(seen: Template, draft: TemplateDraft): Promise<Saving> {
  const path = { id: seen.id };
  try {
    const stored = await call('PUT /api/v1/templates/{id}', {
      path,
      headers: ifMatch(seen),
      body: changesOf(seen, draft),
    });
    return { stored, isConflict: false };
  } catch (error) {
    if (!(error instanceof ApiFailure) || !conflicts.has(error.code ?? '')) throw error;
    return { stored: await call('GET /api/v1/templates/{id}', { path }), isConflict: true };
  }
}

const conflicts = new Set(['version_mismatch', 'concurrent_change']);
const ifMatch = ({ version }: Template) => ({ 'if-match': `"${version}"` });

function About({ stored, forget }: { stored: Template; forget: () => void }) {
  const { route } = useLocation();
  const { id, name } = stored;
  const remove = async () => {
    await call('DELETE /api/v1/templates/{id}', { path: { id }, headers: ifMatch(stored) });
    forget();
    announce('Template deleted');
    route('/console/templates', true);
  };
  return (
    <>
      <h2>Use it</h2>
      <p class="copyable">
        Send with <code>templateId</code>: <code>{id}</code>{' '}
        <CopyButton text={id} what="the id of the template" />
      </p>
      <p class="buttons">
        <a href={`/console/emails?template=${encodeURIComponent(id)}`}>Emails sent with it</a>
        <ConfirmButton label="Delete…" question="Delete this template?" yes="Delete" act={remove}>
          <p>
            Sends with <Foreign text={name} /> are refused from then on. Emails already sent stay as
            they are.
          </p>
        </ConfirmButton>
      </p>
    </>
  );
}
