-- Notifies the servers of rule files and configurations that changed on the disk, where Neovim does not watch files for
-- them (on Linux without `inotifywait`).

local rule_folders = require('ttsr.rule_folders')

local M = {}

local METHOD = 'workspace/didChangeWatchedFiles'
-- Changes are collected for a moment, because programs write several files at once.
local PAUSE_MS = 150
local CREATED, CHANGED, DELETED = 1, 2, 3
local CONFIGURATIONS = { 'ttsr-ls.toml', 'pyproject.toml' }
local group = vim.api.nvim_create_augroup('ttsr_ls.rule_watch', {})

---@type table<integer, table<string, string>> by client: the state of each file
local known = {}
---@type table<integer, table<string, uv.uv_fs_event_t>> by client and folder
local watches = {}
local is_due = false

---@param root string
---@return table<string, string> the state of each file by its path
local function states(root)
  local found = {}
  for _, path in ipairs(rule_folders.files(root)) do
    local stat = vim.uv.fs_stat(path)
    if stat ~= nil then
      found[path] = ('%d.%d.%d'):format(stat.mtime.sec, stat.mtime.nsec, stat.size)
    end
  end
  return found
end

---Notifies a server of the files that changed since the last notification.
---@param client vim.lsp.Client
local function notify_changes(client)
  local old, new = known[client.id], states(client.root_dir)
  local changes = {}
  for path, state in pairs(new) do
    if old[path] ~= state then
      changes[#changes + 1] = { uri = vim.uri_from_fname(path), type = old[path] == nil and CREATED or CHANGED }
    end
  end
  for path in pairs(old) do
    if new[path] == nil then
      changes[#changes + 1] = { uri = vim.uri_from_fname(path), type = DELETED }
    end
  end
  known[client.id] = new
  if #changes > 0 then
    client:notify(METHOD, { changes = changes })
  end
end

local check

---@param own table<string, uv.uv_fs_event_t>
---@param folder string
---@param concerns fun(name: string?): boolean whether the change of a file is of interest
local function watch(own, folder, concerns)
  local handle = own[folder] == nil and vim.uv.new_fs_event() or nil
  if handle == nil then
    return
  end
  own[folder] = handle
  -- If the system has no watches left, the events of Neovim below still find the change.
  handle:start(folder, {}, function(_, name)
    if concerns(name) then
      vim.schedule(check)
    end
  end)
end

---Watches the folders of a client's rules that are there now, and the folder of its configuration.
---@param client vim.lsp.Client
local function watch_folders(client)
  local own = watches[client.id]
  for _, folder in ipairs(rule_folders.folders(client.root_dir)) do
    watch(own, folder, function()
      return true
    end)
  end
  -- Agents and builds change other files of this folder all the time.
  watch(own, client.root_dir, function(name)
    return name == nil or vim.list_contains(CONFIGURATIONS, name)
  end)
end

local function check_now()
  is_due = false
  for id in pairs(known) do
    local client = vim.lsp.get_client_by_id(id)
    if client == nil or client:is_stopped() then
      for _, handle in pairs(watches[id]) do
        handle:close()
      end
      known[id], watches[id] = nil, nil
    else
      notify_changes(client)
      watch_folders(client)
    end
  end
end

---Compares the files with their last known states, a moment later.
check = function()
  if not is_due then
    is_due = true
    vim.defer_fn(check_now, PAUSE_MS)
  end
end

---Called when a server is ready: follows its rule files, unless Neovim watches them.
---@param client vim.lsp.Client
function M.follow(client)
  local is_watched = vim.tbl_get(client.capabilities, 'workspace', 'didChangeWatchedFiles', 'dynamicRegistration')
  if is_watched or client.root_dir == nil or known[client.id] ~= nil then
    return
  end
  known[client.id], watches[client.id] = states(client.root_dir), {}
  watch_folders(client)
  vim.api.nvim_clear_autocmds({ group = group })
  vim.api.nvim_create_autocmd({ 'BufWritePost', 'FocusGained', 'TermLeave', 'VimResume', 'ShellCmdPost' }, {
    group = group,
    callback = check,
  })
end

return M
