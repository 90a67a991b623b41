import { useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { ApiFailure, call } from '../api-client.ts';
import { announce } from '../shared/announce.tsx';
import { Failure } from '../shared/states.tsx';
import { Moment } from '../shared/text.tsx';
import { useAction } from '../shared/use-call.ts';
import { About, ifMatch } from './about.tsx';
import { TemplateConflict } from './conflict.tsx';
import {
  changesOf,
  draftOf,
  draftUpon,
  isDraft,
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
          {stored && <About stored={stored} typed={typed} />}
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
  const asDraft = useRef(false);
  const canPublish = stored !== undefined && isDraft(stored) && !isChanged;
  const saving = useAction(async () => {
    if (!stored) {
      const body = { ...newTemplateOf(draft), draft: asDraft.current };
      const made = await call('POST /api/v1/templates', { body });
      forget();
      announce('Template saved');
      route(addressOf(made), true);
      return;
    }
    const isPublishing = canPublish && !asDraft.current;
    const { stored: newer, isConflict } = isPublishing
      ? await seen(stored, () => publish(stored))
      : await seen(stored, () => save(stored, draft, asDraft.current));
    const isSame = latest.current === draft;
    if (!isConflict) {
      change({ stored: newer, ...(isSame && { draft: draftOf(newer) }) });
      setMine(undefined);
      announce(`Version ${newer.version} ${isPublishing ? 'published' : 'saved'}`);
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
        asDraft.current = event.submitter?.getAttribute('value') === 'draft';
        saving.run();
      }}
    >
      <TemplateFields typed={typed} />
      {saving.failure && <Failure failure={saving.failure} />}
      <p class="buttons">
        <button type="submit" class="main" aria-disabled={saving.isRunning}>
          {saving.isRunning
            ? 'Saving…'
            : canPublish
              ? `Publish version ${stored.version}`
              : saveWords(stored, isChanged && hasConflict)}
        </button>
        {!canPublish && (
          <button type="submit" value="draft" aria-disabled={saving.isRunning}>
            Keep as draft
          </button>
        )}
        <span class="quiet">{isChanged ? 'Not saved yet' : stored && <Saved {...stored} />}</span>
      </p>
    </form>
  );
}

const addressOf = ({ id }: Template): string => `/console/templates/${encodeURIComponent(id)}`;

const saveWords = (stored: Template | undefined, overwrites: boolean): string =>
  stored && overwrites ? `Overwrite version ${stored.version}` : 'Save';

const Saved = ({ version, publishedVersion, updatedAt }: Template) => (
  <>
    Version {version}, saved <Moment at={updatedAt} />
    {publishedVersion === undefined
      ? ': a draft. No email can be sent with it yet'
      : publishedVersion !== version && `: a draft. Emails take version ${publishedVersion}`}
  </>
);

type Saving = { readonly stored: Template; readonly isConflict: boolean };

/** Changes the version that the person has seen. If there's a newer one, returns that instead. */
async function seen({ id }: Template, change: () => Promise<Template>): Promise<Saving> {
  try {
    return { stored: await change(), isConflict: false };
  } catch (error) {
    if (!(error instanceof ApiFailure) || !conflicts.has(error.code ?? '')) throw error;
    const path = { id };
    return { stored: await call('GET /api/v1/templates/{id}', { path }), isConflict: true };
  }
}

const save = (stored: Template, draft: TemplateDraft, asDraft: boolean): Promise<Template> =>
  call('PUT /api/v1/templates/{id}', {
    path: { id: stored.id },
    headers: ifMatch(stored),
    body: { ...changesOf(stored, draft), draft: asDraft },
  });

const publish = (stored: Template): Promise<Template> =>
  call('POST /api/v1/templates/{id}/publish', {
    path: { id: stored.id },
    headers: ifMatch(stored),
  });

const conflicts = new Set(['version_mismatch', 'concurrent_change']);
