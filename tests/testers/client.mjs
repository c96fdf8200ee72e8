// client.mjs URL | PROGRAM ARGUMENT...
// Lists tools and resources, writes the list in LIST, sends one that is wrong, and prints what came as one JSON object.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [target, ...args] = process.argv.slice(2);
let protocol = null;
const transport = target.startsWith('http')
  ? new StreamableHTTPClientTransport(new URL(target))
  : new StdioClientTransport({ command: target, args, env: process.env });
// The client tells its transport what was agreed; stdio keeps it nowhere.
const before = transport.setProtocolVersion?.bind(transport);
transport.setProtocolVersion = (version) => { protocol = version; before?.(version); };

const told = (result) => ({ text: result.content.map((block) => block.text), isError: result.isError === true });
const client = new Client({ name: 'typescript-sdk', version: '1' }, { capabilities: {} });
await client.connect(transport);
const { tools } = await client.listTools();
const written = await client.callTool({ name: 'todo_write', arguments: { todos: JSON.parse(process.env.LIST) } });
const wrong = await client.callTool({ name: 'todo_write', arguments: { todos: [{ content: 'a', status: 'doing' }] } });
const { resources } = await client.listResources();
const list = resources.find((resource) => resource.uri.endsWith('/todos'));
const read = list ? await client.readResource({ uri: list.uri }) : null;
console.log(JSON.stringify({
  protocol,
  tools: tools.map((tool) => tool.name),
  written: told(written),
  wrong: told(wrong),
  resources: resources.map((resource) => resource.uri),
  read: read && JSON.parse(read.contents[0].text),
}));
await client.close();
