import { useLocation } from 'preact-iso/router';
import { call } from '../api-client.ts';
import { announce } from '../shared/announce.tsx';
import { ConfirmButton } from '../shared/buttons.tsx';
import { Failure } from '../shared/states.tsx';
import { CopyButton, Foreign, Moment } from '../shared/text.tsx';
import { useAction } from '../shared/use-call.ts';
import { draftOf, type Template } from './draft.ts';
import type { TypedTemplate } from './typed-template.ts';

/** How to send with a template, what it was before, and what else can be done with it. */
export function About({ stored, typed }: { stored: Template; typed: TypedTemplate }) {
  return (
    <>
      <h2>Use it</h2>
      <Name stored={stored} />
      <Elsewhere {...stored} />
      <Versions stored={stored} typed={typed} />
      <Actions stored={stored} typed={typed} />
    </>
  );
}

export const ifMatch = ({ version }: Template) => ({ 'if-match': `"${version}"` });

const addressOf = ({ id }: Pick<Template, 'id'>): string =>
  `/console/templates/${encodeURIComponent(id)}`;

function Name({ stored: { id, alias, kind } }: { stored: Template }) {
  const text = alias ?? id;
  return (
    <p class="copyable">
      {kind === 'layout' ? (
        <>
          Put it around a template with <code>layout</code>: <code>{id}</code>{' '}
          <CopyButton text={id} what="the id of the layout" />
        </>
      ) : (
        <>
          Send with <code>{alias === undefined ? 'templateId' : 'template'}</code>:{' '}
          <code>{text}</code>{' '}
          <CopyButton
            text={text}
            what={`the ${alias === undefined ? 'id' : 'alias'} of the template`}
          />
        </>
      )}
    </p>
  );
}

/** What it has that this page doesn't edit. */
function Elsewhere({ layout, locales = {}, from, variables = {} }: Template) {
  const languages = Object.keys(locales);
  const declared = Object.keys(variables);
  return (
    <>
      {layout !== undefined && (
        <p class="quiet">
          It has a <a href={addressOf({ id: layout })}>layout</a>, which the preview leaves out.
        </p>
      )}
      {languages.length > 0 && (
        <p class="quiet">
          Also in <Foreign text={languages.join(', ')} />. Change these in files or by the API.
        </p>
      )}
      {from !== undefined && (
        <p class="quiet">
          Sent from <Foreign text={from} />, unless the email names another sender.
        </p>
      )}
      {declared.length > 0 && (
        <p class="quiet">
          Variables that it declares: <Foreign text={declared.join(', ')} most={200} />.
        </p>
      )}
    </>
  );
}

function Versions({ stored, typed }: { stored: Template; typed: TypedTemplate }) {
  const { id, versions } = stored;
  if (versions.length === 0) return null;
  return (
    <details>
      <summary>Earlier versions</summary>
      <ul>
        {versions.map(({ version, publishedAt }) => (
          <li key={version}>
            Version {version}, from <Moment at={publishedAt} />{' '}
            <TakeBack id={id} version={version} typed={typed} />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Puts an earlier version's words into the editor. Nothing is saved yet. */
function TakeBack({ id, version, typed }: { id: string; version: number; typed: TypedTemplate }) {
  const taking = useAction(async () => {
    const query = { version: `${version}` };
    const earlier = await call('GET /api/v1/templates/{id}', { path: { id }, query });
    const { name, alias } = typed.draft;
    typed.change({ draft: { ...draftOf(earlier), name, alias } });
    announce(`Version ${version} is in the editor`);
  });
  return (
    <>
      <button
        type="button"
        class="small"
        aria-label={`Put version ${version} into the editor`}
        aria-disabled={taking.isRunning}
        onClick={taking.run}
      >
        Put into the editor
      </button>
      {taking.failure && <Failure failure={taking.failure} />}
    </>
  );
}

function Actions({ stored, typed }: { stored: Template; typed: TypedTemplate }) {
  const { route } = useLocation();
  const { id, name } = stored;
  const duplicating = useAction(async () => {
    const body = { name: copyOf(name), draft: true };
    const copy = await call('POST /api/v1/templates/{id}/duplicate', { path: { id }, body });
    announce('Copy made');
    route(addressOf(copy));
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
      <p class="buttons">
        <a href={`/console/emails?template=${encodeURIComponent(id)}`}>Emails sent with it</a>
        <button
          type="button"
          class="small"
          aria-disabled={duplicating.isRunning}
          onClick={duplicating.run}
        >
          Duplicate
        </button>
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

/** A name has at most 100 characters. */
const copyOf = (name: string): string => `${name.slice(0, 90)} (copy)`;
