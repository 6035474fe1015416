-- Tells a test what Neovim shows, as probe.js does for VS Code: JSON lines on the port in TTSR_PROBE_PORT.

vim.opt.runtimepath:prepend(vim.env.TTSR_PLUGIN)
vim.opt.swapfile = false
-- Not every Neovim brings the parser that its own Markdown plugin insists on; the file type alone is needed here.
vim.cmd('filetype plugin off | filetype on')
vim.cmd.runtime('plugin/ttsr.lua')
vim.lsp.config('ttsr_ls', { cmd = { vim.env.TTSR_PROGRAM, 'serve' } })
vim.lsp.enable('ttsr_ls')

local socket = assert(vim.uv.new_tcp())

local function tell(message)
  socket:write(vim.json.encode(message) .. '\n')
end

local function plain(diagnostic)
  -- What the server sent, in the encoding that was agreed on; what Neovim made of it, in bytes.
  local sent = vim.tbl_get(diagnostic, 'user_data', 'lsp') or {}
  local related = {}
  for _, one in ipairs(sent.relatedInformation or {}) do
    related[#related + 1] = { message = one.message, path = vim.uri_to_fname(one.location.uri) }
  end
  return {
    code = diagnostic.code,
    href = vim.tbl_get(sent, 'codeDescription', 'href') or vim.NIL,
    severity = diagnostic.severity,
    source = diagnostic.source,
    message = diagnostic.message,
    byte_range = { diagnostic.lnum, diagnostic.col, diagnostic.end_lnum, diagnostic.end_col },
    related = related,
    namespace = vim.diagnostic.get_namespace(diagnostic.namespace).name,
  }
end

local function tell_diagnostics(bufnr)
  if vim.api.nvim_buf_is_loaded(bufnr) then
    local shown = vim.tbl_map(plain, vim.diagnostic.get(bufnr))
    tell({ path = vim.api.nvim_buf_get_name(bufnr), diagnostics = shown })
  end
end

local answers = {}

function answers.open(given, done)
  vim.cmd.edit(vim.fn.fnameescape(given.path))
  if vim.bo.filetype == 'markdown' then
    local attached = vim.wait(100000, function()
      return #vim.lsp.get_clients({ bufnr = 0, name = 'ttsr_ls' }) > 0
    end, 10)
    assert(attached, 'the server did not attach')
  end
  tell_diagnostics(vim.api.nvim_get_current_buf())
  done(vim.NIL)
end

-- What an editor does of itself when its window is looked at again.
function answers.reload(given, done)
  vim.o.autoread = true
  vim.cmd.checktime(vim.fn.bufnr(given.path))
  done(vim.NIL)
end

function answers.hover(given, done)
  local bufnr = vim.fn.bufadd(given.path)
  local params = {
    textDocument = vim.lsp.util.make_text_document_params(bufnr),
    position = { line = given.line, character = given.character },
  }
  vim.lsp.buf_request(bufnr, 'textDocument/hover', params, function(failure, result)
    done(failure and vim.NIL or result)
  end)
end

function answers.evaluate(given, done)
  done(vim.fn.eval(given.expression))
end

-- A command that ends with a new window; the answer is what is in it.
function answers.run_command(given, done)
  vim.api.nvim_create_autocmd('WinNew', {
    once = true,
    callback = function()
      vim.schedule(function()
        done(table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n'))
      end)
    end,
  })
  vim.cmd(given.command)
end

-- The current buffer, as soon as its text has everything that is wanted.
function answers.shown_text(given, done)
  local function text_of(buf)
    return table.concat(vim.api.nvim_buf_get_lines(buf, 0, -1, false), '\n')
  end
  local buf = vim.api.nvim_get_current_buf()
  local shown = vim.wait(100000, function()
    buf = vim.api.nvim_get_current_buf()
    local text = text_of(buf)
    return vim.iter(given.wanted):all(function(part)
      return text:find(part, 1, true) ~= nil
    end)
  end, 20)
  assert(shown, 'not shown; this is: ' .. text_of(buf))
  done({ text = text_of(buf), name = vim.api.nvim_buf_get_name(buf), line = vim.fn.line('.') })
end

function answers.keys(given, done)
  vim.api.nvim_feedkeys(vim.keycode(given.keys), 'mtx', false)
  done(vim.NIL)
end

-- Keys as a person types them: nobody waits for what they do.
function answers.type(given, done)
  vim.api.nvim_input(given.keys)
  done(vim.NIL)
end

function answers.lua(given, done)
  done(assert(loadstring(given.code))())
end

function answers.set_lines(given, done)
  vim.api.nvim_buf_set_lines(0, given.first, given.last, false, given.lines)
  done(vim.NIL)
end

vim.api.nvim_create_autocmd('DiagnosticChanged', {
  callback = function(event)
    tell_diagnostics(event.buf)
  end,
})

local rest = ''
socket:connect('127.0.0.1', tonumber(vim.env.TTSR_PROBE_PORT), function(failure)
  assert(not failure, failure)
  tell({ ready = true })
  socket:read_start(function(broken, data)
    if broken or not data then
      vim.schedule(function()
        vim.cmd.quitall({ bang = true })
      end)
      return
    end
    rest = rest .. data
    for line in rest:gmatch('(.-)\n') do
      local asked = vim.json.decode(line)
      if asked.ask == 'mode' then
        -- At once: while Neovim waits for a key, nothing that is scheduled runs.
        local mode = vim.api.nvim_get_mode()
        tell({ id = asked.id, answer = { mode = mode.mode, blocking = mode.blocking } })
        goto continue
      end
      vim.schedule(function()
        local fine, failure_text = pcall(answers[asked.ask], asked, function(answer)
          tell({ id = asked.id, answer = answer == nil and vim.NIL or answer })
        end)
        if not fine then
          tell({ id = asked.id, error = failure_text })
        end
      end)
      ::continue::
    end
    rest = rest:match('[^\n]*$')
  end)
end)
