-- `:Ttsr check` lists the findings of all rules of the workspace, with unsaved changes, in the quickfix list.

local message = require('ttsr.message')
local quickfix = require('ttsr.quickfix')
local server = require('ttsr.server')

local M = {}

local TYPES = { 'E', 'W', 'I', 'N' }

---@param report table of one document
---@param encoding string
---@return table[] items of the quickfix list
local function items_of(report, encoding)
  local locations, items = {}, {}
  local sorted = vim.list_slice(report.items or {})
  table.sort(sorted, function(one, other)
    local first, second = one.range.start, other.range.start
    return first.line < second.line or (first.line == second.line and first.character < second.character)
  end)
  for _, found in ipairs(sorted) do
    locations[1] = { uri = report.uri, range = found.range }
    local item = vim.lsp.util.locations_to_items(locations, encoding)[1]
    item.text = ('%s [%s]'):format(found.message:gsub('%c', ' '), found.code)
    item.type, item.user_data = TYPES[found.severity] or 'W', nil
    items[#items + 1] = item
  end
  return items
end

---Lists the findings of the rules, their tests, and the configuration.
function M.run()
  server.with_client(0, function(client)
    client:request('workspace/diagnostic', { previousResultIds = {} }, function(failure, result)
      if failure ~= nil then
        return message.say(failure.message)
      end
      local items, files = {}, 0
      table.sort(result.items, function(one, other)
        return one.uri < other.uri
      end)
      for _, report in ipairs(result.items) do
        local found = items_of(report, client.offset_encoding)
        files = files + (#found > 0 and 1 or 0)
        vim.list_extend(items, found)
      end
      if #items == 0 then
        return message.say('no findings in ' .. message.counted(#result.items, 'file'), vim.log.levels.INFO)
      end
      local findings, all = message.counted(#items, 'finding'), message.counted(#result.items, 'file')
      local title = ('TTSR: %s in %d of %s'):format(findings, files, all)
      quickfix.set(title, items, 'ttsr.check')
      quickfix.open()
      message.show(title, vim.log.levels.INFO)
    end)
  end)
end

return M
