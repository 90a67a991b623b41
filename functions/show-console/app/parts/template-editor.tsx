import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { ApiFailure, call } from '../api-client.ts';
import { changesOf, newTemplateOf, type Template, type TemplateDraft } from '../template-draft.ts';
import { type TypedTemplate, useTypedTemplate } from '../typed-template.ts';
import { useAction } from '../use-call.ts';
import { usePreview } from '../use-preview.ts';
import { announce } from './announce.tsx';
import { ConfirmButton } from './confirm.tsx';
import { Failure } from './states.tsx';
import { TemplateConflict } from './template-conflict.tsx';
import { TemplateFields } from './template-fields.tsx';
import { TemplatePreview } from './template-preview.tsx';
import { SendTest } from './template-test.tsx';
import { Foreign, Moment } from './text.tsx';

/** Where a template is written, beside what will arrive. */
export function TemplateEditor({ template }: { template?: Template }) {
  const typed = useTypedTemplate(template);
  const { draft, variables } = typed;
  const { subject, htmlContent, content } = draft;
  const input = { subject, htmlContent, content, variables };
  const shown = usePreview(input);
  return (
    <div class="editor">
      <div>
        <Form typed={typed} missing={shown.rendered?.missingVariables ?? []} />
        <SendTest input={input} />
        {typed.stored && <Danger stored={typed.stored} forget={typed.forget} />}
      </div>
      <TemplatePreview shown={shown} draft={draft} />
    </div>
  );
}

function Form({ typed, missing }: { typed: TypedTemplate; missing: readonly string[] }) {
  const { route } = useLocation();
  const { stored, draft, isChanged, change, forget } = typed;
  // What was typed when somebody else turned out to have saved a newer version.
  const [mine, setMine] = useState<TemplateDraft>();
  const saving = useAction(async () => {
    if (!stored) {
      const made = await call('POST /api/v1/templates', { body: newTemplateOf(draft) });
      forget();
      announce('The template is saved');
      route(`/console/templates/${encodeURIComponent(made.id)}`, true);
      return;
    }
    const outcome = await save(stored, draft);
    change({ stored: outcome.stored });
    if (outcome.isConflict) {
      setMine(draft);
      return;
    }
    setMine(undefined);
    announce(`Version ${outcome.stored.version} is saved`);
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        saving.run();
      }}
    >
      {mine && stored && (
        <TemplateConflict stored={stored} draft={draft} mine={mine} change={change} />
      )}
      <TemplateFields typed={typed} missing={missing} />
      {saving.failure && <Failure failure={saving.failure} />}
      <p class="buttons">
        <button type="submit" class="main" aria-disabled={saving.isRunning}>
          {saving.isRunning ? 'Saving…' : saveWords(stored, isChanged && mine !== undefined)}
        </button>
        <span class="quiet">{isChanged ? 'Not saved yet' : stored && <Saved {...stored} />}</span>
      </p>
    </form>
  );
}

const saveWords = (stored: Template | undefined, overwrites: boolean): string =>
  stored && overwrites ? `Overwrite version ${stored.version}` : 'Save';

const Saved = ({ version, updatedAt }: Template) => (
  <>
    Version {version}, saved <Moment at={updatedAt} />
  </>
);

type Saving = { readonly stored: Template; readonly isConflict: boolean };

/** Saves over the version that the person has seen; of any other, it answers that one. */
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
const ifMatch = ({ version }: Template) => ({ 'If-Match': `"${version}"` });

function Danger({ stored, forget }: { stored: Template; forget: () => void }) {
  const { route } = useLocation();
  const { id, name } = stored;
  return (
    <p class="buttons">
      <ConfirmButton
        label="Delete…"
        question="Delete this template?"
        yes="Delete it"
        act={async () => {
          await call('DELETE /api/v1/templates/{id}', { path: { id }, headers: ifMatch(stored) });
          forget();
          announce('The template is deleted');
          route('/console/templates', true);
        }}
      >
        <p>
          Programs that send by <Foreign text={name} /> are refused from then on. What was sent
          stays as it is.
        </p>
      </ConfirmButton>
    </p>
  );
}
