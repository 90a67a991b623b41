import { useLocation, useRoute } from 'preact-iso/router';
import { shorten } from '../shared/format.ts';
import { Page } from '../shared/page.tsx';
import { List } from '../shared/pager.tsx';
import { Shown } from '../shared/states.tsx';
import { Foreign, Moment } from '../shared/text.tsx';
import { useCall } from '../shared/use-call.ts';
import { TemplateEditor } from './editor.tsx';

/** The templates to send with. */
export function Templates() {
  const { query } = useLocation();
  const templates = useCall('GET /api/v1/templates', { query: { cursor: query['cursor'] } });
  return (
    <Page
      title="Templates"
      lead="Emails with variables. Your application sends them by alias or id."
    >
      <p>
        <a href="/console/templates/new">Create a template</a>
      </p>
      <List
        of={templates}
        empty="None yet. Create one, and preview it as you write."
        note="Templates from the last second may be missing."
      >
        {({ id, name, alias, kind, subject, version, publishedVersion, updatedAt }) => (
          <li key={id}>
            <span class="wide">
              <a href={`/console/templates/${encodeURIComponent(id)}`}>
                <Foreign text={name} />
              </a>
              {alias !== undefined && (
                <>
                  {' '}
                  <code>{alias}</code>
                </>
              )}
              <br />
              <span class="quiet">
                <Foreign text={subject} most={160} />
              </span>
            </span>
            <span class="quiet">
              version {version}
              {version !== publishedVersion && ', draft'}
              {kind === 'layout' && ', layout'}
            </span>
            <Moment at={updatedAt} />
          </li>
        )}
      </List>
    </Page>
  );
}

const lead = (
  <>
    <code>{'{{name}}'}</code> prints a variable, <code>{'{{#items}}…{{/items}}'}</code> repeats for
    each item of a list, and <code>{'{{^items}}…{{/items}}'}</code> shows when it’s empty.
  </>
);

export const NewTemplate = () => (
  <Page title="New template" lead={lead}>
    <TemplateEditor />
  </Page>
);

/** One template, in the editor. */
export function TemplatePage() {
  const { params } = useRoute();
  const template = useCall('GET /api/v1/templates/{id}', { path: { id: params['id'] ?? '' } });
  const { id, name = '' } = template.value ?? {};
  return (
    <Page
      title={id ? `Template “${shorten(name, 60)}”` : 'Template'}
      heading={id ? <Foreign text={name} /> : 'Template'}
      lead={lead}
    >
      <Shown of={template}>{(value) => <TemplateEditor key={value.id} template={value} />}</Shown>
    </Page>
  );
}
