import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { ApiFailure, call } from '../api-client.ts';
import { announce } from '../parts/announce.tsx';
import { ConfirmButton } from '../parts/buttons.tsx';
import { Form } from '../parts/form.tsx';
import { May } from '../parts/may.tsx';
import { More } from '../parts/more.tsx';
import { Page } from '../parts/page.tsx';
import { Failure } from '../parts/states.tsx';
import { Badge, Foreign, Moment } from '../parts/text.tsx';
import { templatePage } from '../shared/addresses.ts';
import { shorten } from '../shared/format.ts';
import { useAction } from '../shared/use-call.ts';
import { goToPlace } from './code-editor.tsx';
import { TemplateConflict } from './conflict.tsx';
import { DeclaredVariables } from './declared-variables.tsx';
import {
  changesOf,
  draftOf,
  draftUpon,
  isDraft,
  isSaved,
  newTemplateOf,
  ownLanguage,
  partWords,
  placeOf,
  type Template,
  type TemplateDraft,
} from './draft.ts';
import { fieldId, SampleField, SettingFields, WordFields } from './fields.tsx';
import { Languages } from './languages.tsx';
import { TemplatePreview } from './preview.tsx';
import { Segments } from './segments.tsx';
import { SendTest } from './send-test.tsx';
import { type TypedTemplate, useTypedTemplate } from './typed-template.ts';
import { UseIt } from './use-it.tsx';
import { previewInputOf, usePreview } from './use-preview.ts';
import { Versions } from './versions.tsx';

const formId = 'template-form';

const views = [
  ['split', 'Both'],
  ['form', 'Editor'],
  ['shown', 'Preview'],
] as const;
type View = (typeof views)[number][0];

/** Beside a preview of the email. */
export function TemplateEditor({
  template,
  kind = template?.kind,
  lead,
}: {
  template?: Template;
  kind?: Template['kind'] | undefined;
  lead: ComponentChildren;
}) {
  const typed = useTypedTemplate(template, kind);
  const { stored, draft, change } = typed;
  const input = previewInputOf(typed);
  const shown = usePreview(input);
  // Narrower screens have no room for both.
  const [view, setView] = useState<View>(() =>
    matchMedia('(width < 72rem)').matches ? (typed.isWritable ? 'form' : 'shown') : 'split',
  );
  // The draft when a newer version was found.
  const [mine, setMine] = useState<TemplateDraft>();
  const saving = useSaving(typed, setMine);
  const faults = new Map(
    saving.failure?.fields.map(({ path, message }) => [ofField(path), message]),
  );
  return (
    <Page
      title={titleOf(typed)}
      heading={stored && <Foreign text={stored.name} breaks />}
      lead={lead}
      beside={<State typed={typed} />}
      actions={
        typed.isWritable && (
          <Buttons typed={typed} saving={saving} hasConflict={mine !== undefined} />
        )
      }
    >
      {saving.failure && <Refused failure={saving.failure} typed={typed} />}
      {mine && stored && (
        <TemplateConflict stored={stored} draft={draft} mine={mine} change={change} />
      )}
      <Segments
        legend="Show"
        name="view"
        look="views"
        options={views}
        chosen={view}
        choose={setView}
      />
      <div class={`editor ${view}`}>
        <Form
          id={formId}
          faults={faults}
          // A hidden field can't say what it needs.
          onGaps={() => view === 'shown' && setView('split')}
          onSubmit={({ submitter }) => saving.save(submitter?.getAttribute('value') === 'draft')}
        >
          <SettingFields typed={typed} />
          <section class="card">
            <Languages typed={typed} />
            <WordFields typed={typed} />
          </section>
          <section class="card">
            {kind !== 'layout' && <DeclaredVariables typed={typed} />}
            <SampleField typed={typed} />
          </section>
        </Form>
        <TemplatePreview shown={shown} typed={typed} />
      </div>
      <div class="below">
        <May ask="POST /api/v1/emails/send">
          <SendTest input={input} from={draft['from'] ?? ''} />
        </May>
        {stored && <UseIt stored={stored} typed={typed} />}
      </div>
      {stored && <Versions stored={stored} typed={typed} />}
    </Page>
  );
}

function titleOf({ stored, kind }: TypedTemplate): string {
  if (stored === undefined) return kind === 'layout' ? 'New layout' : 'New template';
  return `Template “${shorten(stored.name, 60)}”`;
}

type SavingTemplate = {
  readonly save: (asDraft: boolean) => void;
  readonly isRunning: boolean;
  readonly failure: ApiFailure | undefined;
};

function useSaving(
  typed: TypedTemplate,
  setMine: (mine: TemplateDraft | undefined) => void,
): SavingTemplate {
  const { route } = useLocation();
  const { stored, draft, kind, change, become } = typed;
  // People may keep typing while it's being saved.
  const latest = useRef(draft);
  latest.current = draft;
  const asDraft = useRef(false);
  const action = useAction(async () => {
    if (!stored) {
      const body = { ...newTemplateOf(draft, kind), draft: asDraft.current };
      const made = await call('POST /api/v1/templates', { body });
      become(made, draft);
      announce(asDraft.current ? 'Draft saved' : 'Template published');
      route(templatePage(made.id), true);
      return;
    }
    const isPublishing = canPublish(typed) && !asDraft.current;
    const isMine = (found: Template) => isSaved(found, draft, asDraft.current);
    const { stored: newer, isConflict } = isPublishing
      ? await seen(stored, isMine, () => publish(stored))
      : await seen(stored, isMine, () => save(stored, draft, asDraft.current));
    const isSame = latest.current === draft;
    if (!isConflict) {
      change({ stored: newer, ...(isSame && { draft: draftOf(newer) }) });
      setMine(undefined);
      announce(`Version ${newer.version} ${isDraft(newer) ? 'saved as a draft' : 'published'}`);
      return;
    }
    const mine = draftUpon(newer, stored, latest.current);
    change({ stored: newer, draft: mine });
    setMine(mine);
  });
  const run = (isDraftOnly: boolean) => {
    asDraft.current = isDraftOnly;
    action.run();
  };
  return { save: run, isRunning: action.isRunning, failure: action.failure };
}

/** Whether there's a draft that's saved as shown. */
const canPublish = ({ stored, isChanged }: TypedTemplate): boolean =>
  stored !== undefined && isDraft(stored) && !isChanged;

/** The main button comes last. */
function Buttons({
  typed,
  saving: { isRunning },
  hasConflict,
}: {
  typed: TypedTemplate;
  saving: SavingTemplate;
  hasConflict: boolean;
}) {
  const { stored, isChanged } = typed;
  const isOver = stored !== undefined && isChanged && hasConflict;
  return (
    <>
      {stored && <Actions stored={stored} typed={typed} />}
      {!canPublish(typed) && (
        <button type="submit" form={formId} value="draft" aria-disabled={isRunning}>
          Save draft
        </button>
      )}
      <button type="submit" form={formId} class="main" aria-disabled={isRunning}>
        {isRunning ? 'Working…' : publishWords(typed, isOver)}
      </button>
    </>
  );
}

function publishWords(typed: TypedTemplate, isOver: boolean): string {
  const { stored } = typed;
  if (stored && isOver) return `Overwrite version ${stored.version}`;
  return stored && canPublish(typed) ? `Publish version ${stored.version}` : 'Publish';
}

const State = ({ typed: { stored, isChanged } }: { typed: TypedTemplate }) => (
  <>
    {stored && (
      <Badge tone={isDraft(stored) ? 'warn' : 'good'}>
        {isDraft(stored) ? 'Draft' : 'Published'}
      </Badge>
    )}{' '}
    {isChanged ? 'Not saved yet' : stored && <Saved {...stored} />}
  </>
);

const Saved = ({ version, publishedVersion, updatedAt }: Template) => (
  <>
    Version {version}, saved <Moment at={updatedAt} />
    {publishedVersion === undefined
      ? '. No email can be sent with it yet.'
      : publishedVersion !== version && `. Emails take version ${publishedVersion}.`}
  </>
);

function Actions({ stored, typed }: { stored: Template; typed: TypedTemplate }) {
  const { route } = useLocation();
  const { id, name, kind } = stored;
  const duplicating = useAction(async () => {
    const body = { name: copyOf(name), draft: true };
    const copy = await call('POST /api/v1/templates/{id}/duplicate', { path: { id }, body });
    announce('Template duplicated');
    route(templatePage(copy.id));
  });
  const remove = async () => {
    await call('DELETE /api/v1/templates/{id}', { path: { id }, headers: ifMatch(stored) });
    typed.forget();
    announce('Template deleted');
    route('/console/templates', true);
  };
  return (
    <>
      {duplicating.failure && <Failure failure={duplicating.failure} />}
      <More>
        <button type="button" aria-disabled={duplicating.isRunning} onClick={duplicating.run}>
          Duplicate
        </button>
        <ConfirmButton
          label="Delete…"
          question="Delete this template?"
          yes="Delete"
          look="plain"
          act={remove}
        >
          <p>
            {kind === 'layout' ? 'Templates lose ' : 'Sends with '}
            <Foreign text={name} />
            {kind === 'layout' ? ', as long as none uses it.' : ' are refused from then on.'} Emails
            already sent stay as they are.
          </p>
        </ConfirmButton>
      </More>
    </>
  );
}

/** Names have at most 100 characters. */
const copyOf = (name: string): string => `${shorten(name, 90)} (copy)`;

/** List items and parts of a declaration have no separate field. */
function ofField(path: string): string {
  const [first = '', second = ''] = path.split('.');
  if (first === 'replyTo') return first;
  return first === 'variables' ? `variables.${second}` : path;
}

/** Opens a language that isn't shown. */
function Refused({ failure, typed }: { failure: ApiFailure; typed: TypedTemplate }) {
  const { draft, kind, change } = typed;
  const known = failure.fields.filter(
    ({ path }) => draft[ofField(path)] !== undefined && (kind !== 'layout' || path !== 'subject'),
  );
  if (known.length === 0 || known.length < failure.fields.length) {
    return <Failure failure={failure} />;
  }
  const goTo = (path: string, message: string) => {
    const [first, second] = path.split('.');
    const language = first === 'locales' ? second : ownLanguage;
    if (first !== 'variables') change({ language: language ?? ownLanguage });
    setTimeout(() => goToPlace(fieldId(path), placeOf(draft[path] ?? '', message)));
  };
  return (
    <div class="notice bad" role="alert">
      <p>
        <b>Not saved.</b> Fix this first:
      </p>
      <ul>
        {known.map(({ path, message }) => (
          <li key={path}>
            {partWords(path)}: <Foreign text={message} most={500} />{' '}
            <button type="button" class="link" onClick={() => goTo(ofField(path), message)}>
              Go to the field
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

type Saving = { readonly stored: Template; readonly isConflict: boolean };

/**
 * Changes the version that the person has seen. If there's a newer one, returns that instead.
 *
 * @param isMine whether the newer one is this very change, made before: its answer was lost.
 */
async function seen(
  { id }: Template,
  isMine: (newer: Template) => boolean,
  change: () => Promise<Template>,
): Promise<Saving> {
  try {
    return { stored: await change(), isConflict: false };
  } catch (error) {
    if (!(error instanceof ApiFailure) || !conflicts.has(error.code ?? '')) throw error;
    const newer = await call('GET /api/v1/templates/{id}', { path: { id } });
    return { stored: newer, isConflict: !isMine(newer) };
  }
}

const ifMatch = ({ version }: Template) => ({ 'if-match': `"${version}"` });

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
