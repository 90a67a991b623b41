import { useLocation, useRoute } from 'preact-iso/router';
import { Page } from '../parts/page.tsx';
import { Shown } from '../parts/states.tsx';
import { useCall } from '../shared/use-call.ts';
import { TemplateEditor } from './editor.tsx';

const lead = (
  <>
    <code>{'{{name}}'}</code> prints a variable, <code>{'{{#items}}…{{/items}}'}</code> repeats for
    each item of a list, and <code>{'{{^items}}…{{/items}}'}</code> shows when it’s empty.
  </>
);

const leadOfLayout = (
  <>
    Wraps other templates. <code>{'{{{content}}}'}</code> appears once in each body, where the email
    goes.
  </>
);

export function NewTemplate() {
  const { query } = useLocation();
  const isLayout = query['kind'] === 'layout';
  return (
    <TemplateEditor
      key={`${isLayout}`}
      lead={isLayout ? leadOfLayout : lead}
      kind={isLayout ? 'layout' : undefined}
    />
  );
}

export function TemplatePage() {
  const { params } = useRoute();
  const template = useCall('GET /api/v1/templates/{id}', { path: { id: params['id'] ?? '' } });
  if (template.value === undefined) {
    return (
      <Page title="Template">
        <Shown of={template}>{() => null}</Shown>
      </Page>
    );
  }
  const { id, kind } = template.value;
  return (
    <TemplateEditor
      key={id}
      template={template.value}
      lead={kind === 'layout' ? leadOfLayout : lead}
    />
  );
}
