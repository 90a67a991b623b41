import { useLocation } from 'preact-iso/router';
import { Page } from '../shared/page.tsx';
import { Pager } from '../shared/pager.tsx';
import { Empty, Shown } from '../shared/states.tsx';
import { Foreign, Moment } from '../shared/text.tsx';
import { useCall } from '../shared/use-call.ts';

/** The templates that programs send by. */
export function Templates() {
  const { query } = useLocation();
  const templates = useCall('GET /api/v1/templates', { query: { cursor: query['cursor'] } });
  return (
    <Page title="Templates" lead="Emails with places for what differs. Programs send them by id.">
      <p>
        <a href="/console/templates/new">Write a template</a>
      </p>
      <Shown of={templates}>
        {({ data, nextCursor }) => (
          <>
            {data.length === 0 && (
              <Empty>
                {nextCursor
                  ? 'None here. There are older ones.'
                  : 'There is none yet. Write the first one, and see it as it will arrive while you write.'}
              </Empty>
            )}
            <ul class="rows">
              {data.map(({ id, name, subject, version, updatedAt }) => (
                <li key={id}>
                  <span class="wide">
                    <a href={`/console/templates/${encodeURIComponent(id)}`}>
                      <Foreign text={name} />
                    </a>
                    <br />
                    <span class="quiet">
                      <Foreign text={subject} most={160} />
                    </span>
                  </span>
                  <span class="quiet">version {version}</span>
                  <Moment at={updatedAt} />
                </li>
              ))}
            </ul>
            <p class="quiet">A template of the last second may be missing here.</p>
            <Pager nextCursor={nextCursor} shown={data.length} />
          </>
        )}
      </Shown>
    </Page>
  );
}
