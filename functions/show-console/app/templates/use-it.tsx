import { CopyButton, Foreign } from '../parts/text.tsx';
import { addressWith } from '../shared/paging.ts';
import type { Template } from './draft.ts';
import { asJson, type TypedTemplate, valuesIn } from './typed-template.ts';

/** How a program sends with the template. */
export function UseIt({ stored, typed }: { stored: Template; typed: TypedTemplate }) {
  const { id, alias, kind } = stored;
  return (
    <section class="card">
      <h2>Use it</h2>
      {kind === 'layout' ? (
        <p class="copyable">
          Choose it as the layout of a template, or name it as <code>layout</code>:{' '}
          <code>{id}</code> <CopyButton text={id} what="the id of the layout" />
        </p>
      ) : (
        <>
          <p class="copyable">
            Send with <code>{alias === undefined ? 'templateId' : 'template'}</code>:{' '}
            <code>{alias ?? id}</code>{' '}
            <CopyButton
              text={alias ?? id}
              what={`the ${alias === undefined ? 'id' : 'alias'} of the template`}
            />
          </p>
          <Snippet stored={stored} typed={typed} />
          {alias === undefined && (
            <p class="quiet">
              Give it an alias, and programs need no id: <Foreign text="password-reset" />, for
              example.
            </p>
          )}
          <p>
            <a href={addressWith('/console/emails', { template: id })}>Emails sent with it</a>
          </p>
        </>
      )}
    </section>
  );
}

function Snippet({ stored: { id, alias }, typed }: { stored: Template; typed: TypedTemplate }) {
  const { language, variables } = typed;
  const body = asJson({
    to: 'ann@example.com',
    ...(alias === undefined ? { templateId: id } : { template: alias }),
    ...(language && { locale: language }),
    variables: variables.length > maxShown ? {} : valuesIn(variables),
  });
  return (
    <>
      <pre class="snippet">{`POST /api/v1/emails/send\nIdempotency-Key: …\n\n${body}`}</pre>
      <p>
        <CopyButton text={body} what="the body of the request" />
      </p>
    </>
  );
}

/** Longer samples would hide what the request is about. */
const maxShown = 2_000;
