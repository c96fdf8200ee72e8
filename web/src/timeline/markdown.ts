import DOMPurify from 'dompurify';
import MarkdownIt from 'markdown-it';

const markdown = new MarkdownIt({ html: false, linkify: false, breaks: true });
// An image would be a request to wherever the model's text points.
markdown.disable('image');
// Alignment in tables is an inline style, which the page's policy refuses.
markdown.core.ruler.push('no_style', (state) => {
  for (const token of state.tokens) token.attrs = token.attrs?.filter(([name]) => name !== 'style') ?? null;
});

const TAGS = [
  'a', 'blockquote', 'br', 'code', 'del', 'em', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'li', 'ol', 'p', 'pre', 's', 'strong',
  'table', 'tbody', 'td', 'th', 'thead', 'tr', 'ul',
];

DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName !== 'A') return;
  node.setAttribute('rel', 'noopener noreferrer');
  node.setAttribute('target', '_blank');
});

const rendered = new Map<string, string>();
const MAX_RENDERED = 300;

/** Markdown as HTML that holds nothing but text, its marks and links to http, https and mail. */
export function renderMarkdown(source: string): string {
  const known = rendered.get(source);
  if (known !== undefined) return known;
  const html = DOMPurify.sanitize(markdown.render(source), {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ['href', 'start'],
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:)/i,
  });
  if (rendered.size >= MAX_RENDERED) rendered.delete(rendered.keys().next().value!);
  rendered.set(source, html);
  return html;
}
