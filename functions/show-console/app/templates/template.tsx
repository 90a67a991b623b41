import { useLocation, useRoute } from 'preact-iso/router';
import { shorten } from '../shared/format.ts';
import { Page } from '../shared/page.tsx';
import { Shown } from '../shared/states.tsx';
import { Foreign } from '../shared/text.tsx';
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
    Goes around other templates. <code>{'{{{content}}}'}</code> stands once in each body, where the
    email goes.
  </>
);

/** A template that isn't stored yet. */
export function NewTemplate() {
  const { query } = useLocation();
  const isLayout = query['kind'] === 'layout';
  return (
    <Page
      title={isLayout ? 'New layout' : 'New template'}
      lead={isLayout ? leadOfLayout : lead}
      key={`${isLayout}`}
    >
      <TemplateEditor {...(isLayout && { kind: 'layout' })} />
    </Page>
  );
}

/** One template, in the editor. */
export function TemplatePage() {
  const { params } = useRoute();
  const template = useCall('GET /api/v1/templates/{id}', { path: { id: params['id'] ?? '' } });
  const { id, name = '', kind } = template.value ?? {};
  return (
    <Page
      title={id ? `Template “${shorten(name, 60)}”` : 'Template'}
      heading={id ? <Foreign text={name} /> : 'Template'}
      lead={kind === 'layout' ? leadOfLayout : lead}
    >
      <Shown of={template}>{(value) => <TemplateEditor key={value.id} template={value} />}</Shown>
    </Page>
  );
}
