-- neovim.lua: the language server in Neovim's own client: a test with a mistake is opened, diagnostics arrive, a
-- hover shows the verdict, a quick fix makes the test ok; and of files that tests are read with, mistakes are mended. NVIM_TEST names the file, CRASHLIT the program.
-- Last line: N passed, N failed.
local passed, failed = 0, 0
local function holds(right, what, seen)
  if right then
    passed = passed + 1
  else
    failed = failed + 1
    io.stdout:write(('failed: %s (%s)\n'):format(what, vim.inspect(seen)))
  end
end
local function await(what, condition)
  holds(vim.wait(60000, condition, 20), what)
end

vim.cmd('silent edit ' .. vim.fn.fnameescape(vim.env.NVIM_TEST))
local buffer = vim.api.nvim_get_current_buf()
vim.bo[buffer].filetype = 'litmus'
local shown
vim.lsp.handlers['window/showMessage'] = function(_, message)
  shown = message.message
end
local client = vim.lsp.start_client({ name = 'crashlit', cmd = { vim.env.CRASHLIT, 'lsp' }, root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(buffer, client)

local function diagnostics()
  return vim.diagnostic.get(buffer)
end
local function ask(method, params)
  local replies, fault = vim.lsp.buf_request_sync(buffer, method, params, 60000)
  holds(not fault and replies[client] and not replies[client].err, method .. ' is answered', replies or fault)
  return replies and replies[client] and replies[client].result
end
local function hover(line, character)
  local result = ask('textDocument/hover', {
    textDocument = vim.lsp.util.make_text_document_params(buffer),
    position = { line = line, character = character },
  })
  return result and result.contents.value or ''
end

-- The mistake: a word that is none, in the fifth line.
await('a diagnostic arrives', function() return #diagnostics() > 0 end)
local first = diagnostics()[1] or {}
holds(first.lnum == 4 and first.code == 'E-lit-function', 'it is the word that is none', first)
holds((first.message or ''):find('p_barrier_wi', 1, true), 'it says what was meant', first.message)

-- What was meant, in the wrong place: behind both writes it orders nothing.
vim.api.nvim_buf_set_lines(buffer, 4, 5, false, { '  *key = 1;', '  p_barrier_wi;' })
await('the fault is gone', function() return #diagnostics() == 0 end)
holds(hover(7, 12):find('**violated** under sc + epoch', 1, true), 'a hover shows the verdict', hover(7, 12))
await('and the diagnostic comes with it', function() return #diagnostics() == 2 end)

-- A lens is a command.
local lenses = ask('textDocument/codeLens', { textDocument = vim.lsp.util.make_text_document_params(buffer) }) or {}
holds(#lenses == 3 and lenses[1].command.title == 'check: violated', 'lenses', lenses)
ask('workspace/executeCommand', lenses[1].command)
await('the message of a command', function() return shown == 'check: violated' end)

local actions = ask('textDocument/codeAction', {
  textDocument = vim.lsp.util.make_text_document_params(buffer),
  range = { start = { line = 7, character = 0 }, ['end'] = { line = 7, character = 1 } },
  context = { diagnostics = {} },
}) or {}
holds(#actions > 0 and actions[1].edit, 'there is a quick fix', actions)
if actions[1] then
  vim.lsp.util.apply_workspace_edit(actions[1].edit, 'utf-16')
end
holds(vim.api.nvim_buf_get_lines(buffer, 4, 5, false)[1] == '  p_barrier_wi;', 'it puts a barrier between the writes',
  vim.api.nvim_buf_get_lines(buffer, 0, -1, false))
local condition = vim.fn.search('^crash', 'nw') - 1
holds(hover(condition, 12):find('**ok** under sc + epoch', 1, true), 'the test is ok then', hover(condition, 12))
await('and has no diagnostics', function() return #diagnostics() == 0 end)
vim.cmd('silent write!')

-- What tests are read with: a mistake in each, and its quick fix, applied.
for ending, lines in pairs({
  def = { 'flush(X)  { p_barrer_wi; }', 'flush(X)  { p_barrier_wi; }' },
  machine = { 'machine = nvw-fifi', 'machine = nvw-fifo' },
  map = { 'pragme p { at end : p_barrier_wi; }', 'pragma p { at end : p_barrier_wi; }' },
}) do
  vim.cmd('silent edit ' .. vim.fn.fnameescape(vim.env.NVIM_TEST .. '.' .. ending))
  buffer = vim.api.nvim_get_current_buf()
  vim.bo[buffer].filetype = 'crashlit-' .. ending
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, { lines[1] })
  vim.lsp.buf_attach_client(buffer, client)
  await(ending .. ': a diagnostic arrives', function() return #diagnostics() == 1 end)
  local fixes = ask('textDocument/codeAction', {
    textDocument = vim.lsp.util.make_text_document_params(buffer),
    range = { start = { line = 0, character = 0 }, ['end'] = { line = 0, character = #lines[1] } },
    context = { diagnostics = {} },
  }) or {}
  holds(#fixes == 1, ending .. ': there is a quick fix', fixes)
  if fixes[1] then
    vim.lsp.util.apply_workspace_edit(fixes[1].edit, 'utf-16')
  end
  local now = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
  holds(#now == 1 and now[1] == lines[2], ending .. ': it is what was meant', now)
  await(ending .. ': and nothing is wrong', function() return #diagnostics() == 0 end)
end

vim.lsp.stop_client(client)
await('the server leaves', function() return not vim.lsp.get_client_by_id(client) end)
io.stdout:write(('%d passed, %d failed\n'):format(passed, failed))
vim.cmd(failed > 0 and 'cquit' or 'quitall!')
