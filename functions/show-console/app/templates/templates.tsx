import { useLocation } from 'preact-iso/router';
import { Page } from '../shared/page.tsx';
import { List } from '../shared/pager.tsx';
import { Badge, Foreign, Moment } from '../shared/text.tsx';
import { useCall } from '../shared/use-call.ts';

/** The templates to send with. */
export function Templates() {
  const { query } = useLocation();
  const templates = useCall('GET /api/v1/templates', { query: { cursor: query['cursor'] } });
  return (
    <Page
      title="Templates"
      lead="Emails with variables. Your application sends them by alias or id."
    >
      <p class="buttons">
        <a href="/console/templates/new">Create a template</a>
        <a href="/console/templates/new?kind=layout">Create a layout</a>
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
            {kind === 'layout' && <Badge tone="quiet">Layout</Badge>}
            {publishedVersion === undefined ? (
              <Badge tone="warn">Draft</Badge>
            ) : (
              <Badge tone="good">Published</Badge>
            )}
            <span class="quiet">
              version {version}
              {publishedVersion !== undefined && version !== publishedVersion && ', draft'}
            </span>
            <Moment at={updatedAt} />
          </li>
        )}
      </List>
    </Page>
  );
}
