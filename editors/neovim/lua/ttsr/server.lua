-- The server of a buffer. Neovim itself attaches rule files. For other files in a folder with rules, the server is started
-- without being attached, so that typing in them costs nothing; it is notified which of them are open.

local answering = require('ttsr.answering')
local message = require('ttsr.message')
local rule_folders = require('ttsr.rule_folders')
local unsaved = require('ttsr.unsaved')

local M = {}

local NAME = 'ttsr_ls'
local MAX_RESTARTS = 3
local RESTART_WINDOW_SECONDS = 180
local group = vim.api.nvim_create_augroup('ttsr_ls.open_files', {})

---@type integer[] when servers were restarted, in seconds
local restarts = {}
local is_leaving = false
local has_said_missing = false

---The path of a buffer's file; empty for a buffer without a file, such as the window of runs.
---@param bufnr integer
---@return string
local function path_of(bufnr)
  local name = vim.api.nvim_buf_get_name(bufnr)
  return vim.fn.isabsolutepath(name) == 1 and name or ''
end

---The server for a buffer: the one that is attached to it, else that of the innermost folder around it.
---@param bufnr integer
---@return vim.lsp.Client?
function M.client(bufnr)
  bufnr = bufnr == 0 and vim.api.nvim_get_current_buf() or bufnr
  local attached = vim.lsp.get_clients({ name = NAME, bufnr = bufnr })[1]
  if attached ~= nil then
    return attached
  end
  local name = path_of(bufnr)
  local clients = vim.lsp.get_clients({ name = NAME })
  -- A page of the plugin, such as the window of runs, belongs to the only server, also outside of its folder.
  if name == '' and #clients == 1 and vim.api.nvim_buf_get_name(bufnr) ~= '' then
    return clients[1]
  end
  -- A buffer without a file belongs to the current folder.
  local path = vim.fs.normalize(name ~= '' and name or (vim.uv.cwd() .. '/-'))
  local nearest = nil
  for _, client in ipairs(clients) do
    local root = client.root_dir and vim.fs.normalize(client.root_dir)
    if root ~= nil and vim.startswith(path, root .. '/') and (nearest == nil or #root > #nearest.root_dir) then
      nearest = client
    end
  end
  return nearest
end

---The server for a buffer, which is started where it is not running yet; nil where there are no rules for the buffer.
---@param bufnr integer
---@return vim.lsp.Client?
function M.start(bufnr)
  bufnr = bufnr == 0 and vim.api.nvim_get_current_buf() or bufnr
  local known = M.client(bufnr)
  local config = vim.lsp.config[NAME]
  if known ~= nil or config == nil or not vim.lsp.is_enabled(NAME) or not unsaved.is_file(bufnr) then
    return known
  end
  local root = rule_folders.root(bufnr)
  local name = vim.api.nvim_buf_get_name(bufnr)
  if root == nil and vim.fs.basename(name) == 'ttsr-ls.toml' then
    root = vim.fs.dirname(name)
  end
  if root == nil then
    return nil
  end
  config = vim.deepcopy(config)
  config.root_dir = root
  local id = vim.lsp.start(config, { attach = false, bufnr = bufnr, silent = true })
  return id and vim.lsp.get_client_by_id(id)
end

---Calls `run` with the server of a buffer, which is started if it is not running: at once if it is ready, else when it
---becomes ready.
---@param bufnr integer
---@param run fun(client: vim.lsp.Client)
---@param otherwise fun()? called where there are no rules for the buffer, or no server starts; nil: a message says so
function M.with_client(bufnr, run, otherwise)
  bufnr = bufnr == 0 and vim.api.nvim_get_current_buf() or bufnr
  otherwise = otherwise or function()
    M.say_why_none(bufnr)
  end
  local client = M.start(bufnr) or vim.lsp.get_clients({ name = NAME, bufnr = bufnr, _uninitialized = true })[1]
  if client == nil then
    return otherwise()
  end
  answering.with(client, run, otherwise)
end

---The server that follows the runs in which a file is written: of its folder, else of another one of its repository.
---@param bufnr integer
---@return vim.lsp.Client?
local function following(bufnr)
  local repository = vim.fs.root(bufnr, '.git')
  local known = M.client(bufnr)
  for _, client in ipairs(known == nil and repository ~= nil and vim.lsp.get_clients({ name = NAME }) or {}) do
    if client.root_dir ~= nil and vim.fs.root(client.root_dir, '.git') == repository then
      return client
    end
  end
  return known
end

---The server that a file is announced to; nil where it is attached, or no server is ready.
---@param bufnr integer
---@return vim.lsp.Client?
local function announced_to(bufnr)
  local server = following(bufnr)
  local is_ready = server ~= nil and server.initialized and unsaved.is_file(bufnr)
  return is_ready and not vim.lsp.buf_is_attached(bufnr, server.id) and server or nil
end

---@param bufnr integer
local function announce(bufnr)
  local server = announced_to(bufnr)
  if server ~= nil then
    unsaved.announce(server, bufnr)
  end
end

---Notifies the server of a changed file that shows triggers, so that their marks move with the text.
---@param bufnr integer
local function notify_change(bufnr)
  local server = following(bufnr)
  if server == nil then
    return
  end
  local namespace = vim.lsp.diagnostic.get_namespace(server.id)
  if vim.b[bufnr].ttsr_had_triggers or #vim.diagnostic.get(bufnr, { namespace = namespace }) > 0 then
    -- Remembered, because the mark of removed text comes back when the change is undone.
    vim.b[bufnr].ttsr_had_triggers = true
    announce(bufnr)
  end
end

---Why the program of the server cannot start; nil where it can.
---@return string?
local function why_no_program()
  local config = vim.lsp.config[NAME]
  local command = config and type(config.cmd) == 'table' and config.cmd
  return command and require('ttsr.program').why_not(command[1]) or nil
end

---Says why no server answers for a buffer, and what to do.
---@param bufnr integer
function M.say_why_none(bufnr)
  local cause = why_no_program()
  local path = path_of(bufnr)
  if require('ttsr.install').is_under_way() then
    message.say('the server is being installed; a message says when it is there', vim.log.levels.INFO)
  elseif cause ~= nil then
    message.say(("run '%s': %s"):format(require('ttsr.install').usage(), cause))
  elseif not vim.lsp.is_enabled(NAME) then
    message.say("the server is not enabled: add vim.lsp.enable('ttsr_ls') to your init.lua")
  elseif path ~= '' and not rule_folders.has(path) and rule_folders.root(bufnr) == nil then
    message.say("there are no rules in this folder: ':Ttsr new-rule' begins one")
  else
    message.say("there is no server for this file; see ':checkhealth ttsr'")
  end
end

---Says once that the program of the server cannot start, when a rule is opened.
---@param bufnr integer
function M.say_if_missing(bufnr)
  if not has_said_missing and why_no_program() ~= nil and rule_folders.has(vim.api.nvim_buf_get_name(bufnr)) then
    has_said_missing = true
    vim.schedule(function()
      M.say_why_none(bufnr)
    end)
  end
end

---Says once that the server is not enabled, when a rule is opened.
---@param bufnr integer
function M.say_if_disabled(bufnr)
  if has_said_missing or not rule_folders.has(vim.api.nvim_buf_get_name(bufnr)) then
    return
  end
  has_said_missing = true
  -- Deferred, because a configuration may enable the server after the first file is read.
  vim.defer_fn(function()
    if not vim.lsp.is_enabled(NAME) then
      message.say("the server is not enabled: add vim.lsp.enable('ttsr_ls') to your init.lua")
    end
  end, 500)
end

---Called for each file that is read: its folder's server is started where there are rules.
---@param bufnr integer
function M.opened(bufnr)
  M.say_if_missing(bufnr)
  if vim.bo[bufnr].filetype ~= 'markdown' then
    M.start(bufnr)
  end
  announce(bufnr)
end

---Called when a server is ready.
---@param client vim.lsp.Client
function M.ready(client)
  unsaved.watch(client)
  answering.settle()
  vim.api.nvim_clear_autocmds({ group = group })
  vim.api.nvim_create_autocmd({ 'TextChanged', 'InsertLeave', 'BufWritePost', 'FileChangedShellPost' }, {
    group = group,
    callback = function(event)
      notify_change(event.buf)
    end,
  })
  vim.api.nvim_create_autocmd('BufUnload', {
    group = group,
    callback = function(event)
      local server = announced_to(event.buf)
      if server ~= nil then
        unsaved.forget(server, event.buf)
      end
    end,
  })
  vim.api.nvim_create_autocmd('VimLeavePre', {
    group = group,
    callback = function()
      is_leaving = true
    end,
  })
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(bufnr) then
      announce(bufnr)
    end
  end
end

---Starts the servers of all files that are open.
function M.start_for_open_files()
  -- Attaches every rule file, as when the server was enabled first.
  vim.lsp.enable(NAME)
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(bufnr) then
      M.opened(bufnr)
    end
  end
end

---Called when a server ended. One that nobody stopped is started again for the files that are open.
---@param code integer
---@param signal integer
---@param id integer
function M.ended(code, signal, id)
  vim.schedule(answering.settle)
  -- Neovim removes the diagnostics of attached buffers only; triggers are marked on files without the server, too.
  vim.schedule(function()
    vim.diagnostic.reset(vim.lsp.diagnostic.get_namespace(id))
  end)
  local client = vim.lsp.get_client_by_id(id)
  local was_stopped = client ~= nil and client._is_stopping
  if is_leaving or was_stopped or (code == 0 and signal == 0) then
    return
  end
  local now = os.time()
  restarts = vim.tbl_filter(function(time)
    return now - time < RESTART_WINDOW_SECONDS
  end, restarts)
  if #restarts >= MAX_RESTARTS then
    vim.schedule(function()
      message.say("the server ends again and again; see ':checkhealth ttsr'")
    end)
    return
  end
  restarts[#restarts + 1] = now
  vim.defer_fn(function()
    if is_leaving or not vim.lsp.is_enabled(NAME) then
      return
    end
    if why_no_program() ~= nil then
      -- Neovim's own message only says that the client quit. This one says why, and what to do.
      return M.say_why_none(vim.api.nvim_get_current_buf())
    end
    M.start_for_open_files()
  end, 200 * 2 ^ (#restarts - 1))
end

---Shows a message of the server.
---@param params lsp.ShowMessageParams
function M.show_message(params)
  local levels = { vim.log.levels.ERROR, vim.log.levels.WARN, vim.log.levels.INFO }
  message.show(params.message, levels[params.type] or vim.log.levels.INFO)
end

return M
